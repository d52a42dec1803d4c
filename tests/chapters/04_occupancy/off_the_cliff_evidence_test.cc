// SPDX-License-Identifier: Apache-2.0
#include "tests/chapters/04_occupancy/off_the_cliff_evidence.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warplings::off_the_cliff {
namespace {

struct Seen {
  std::uint32_t registers = 26, local = 0, shared = 0;
  int fetches = 3;
  std::uint32_t threads = 128;
  bool wrong_far = false, wrong_near = false;
};

std::string IdOf(const Seen& seen) {
  std::vector<Evidence> all(2);
  for (Evidence& e : all) {
    e.samples = 100;
    LaunchRecord launch;
    launch.completed = true;
    launch.block = {seen.threads, 1, 1};
    launch.registers = seen.registers;
    launch.static_shared_bytes = seen.shared;
    launch.arrays = {{.label = "x", .load_bytes = static_cast<std::uint64_t>(seen.fetches) * 32 * 100 * 4}};
    e.result.launches = {launch};
  }
  all[1].far_from_zero = true;
  all[0].result.wrong_count = seen.wrong_near ? 1 : 0;
  all[1].result.wrong_count = seen.wrong_far ? 1 : 0;
  KernelResources kernel;
  kernel.registers = seen.registers;
  kernel.local_bytes = seen.local;
  kernel.shared_bytes = seen.shared;
  const auto found = Recognise(all, std::vector{kernel});
  if (found.empty()) return "";
  EXPECT_EQ(found.size(), 1u);
  EXPECT_FALSE(found[0].evidence.empty());
  return found[0].id;
}

TEST(CommonFactor, IsFoundWhereAllValuesAreOffAlike) {
  const std::vector<double> expected = {1, -2, 0.5, 0.0001, 3};
  const auto times = [&](double factor) {
    std::vector<float> actual;
    for (const double value : expected) actual.push_back(static_cast<float>(factor * value));
    return actual;
  };
  EXPECT_NEAR(CommonFactor(times(0.984), expected), 0.984, 1e-6);
  EXPECT_NEAR(CommonFactor(times(-1), expected), -1, 1e-6);
  EXPECT_EQ(CommonFactor(times(1), expected), 0) << "right";
  EXPECT_EQ(CommonFactor({1, -2, 0.6f, 0, 3}, expected), 0) << "one is off";
  EXPECT_EQ(CommonFactor({NAN, -2, 0.5f, 0, 3}, expected), 0);
  EXPECT_EQ(CommonFactor({}, {}), 0);
}

TEST(OffTheCliffEvidence, EachMisconceptionIsToldFromTheOthers) {
  EXPECT_EQ(IdOf({}), "");
  EXPECT_EQ(IdOf({.wrong_far = true}), "squares_cancel");
  EXPECT_EQ(IdOf({.wrong_far = true, .wrong_near = true}), "");
  EXPECT_EQ(IdOf({.registers = 16, .local = 128, .fetches = 1}), "array_in_local_memory");
  EXPECT_EQ(IdOf({.registers = 32, .local = 128, .fetches = 1}), "forced_to_spill");
  EXPECT_EQ(IdOf({.registers = 32, .local = 16, .fetches = 1}), "forced_to_spill");
  EXPECT_EQ(IdOf({.registers = 26, .shared = 16384, .fetches = 1}), "moved_to_shared_memory");
  EXPECT_EQ(IdOf({.registers = 26, .shared = 512}), "");
  EXPECT_EQ(IdOf({.threads = 768}), "blocks_leave_gaps");
  EXPECT_EQ(IdOf({.threads = 32}), "blocks_leave_gaps");
  EXPECT_EQ(IdOf({.registers = 128}), "fetched_far_ahead");
  EXPECT_EQ(IdOf({.registers = 48, .fetches = 1}), "kept_under_other_names");
}

/// The figures of the text: 82 bytes of shared memory a thread fill an A100, 128 do not.
TEST(OffTheCliffEvidence, OccupancyIsThatOfAnA100) {
  const auto with = [](std::uint32_t registers, std::uint32_t shared) {
    LaunchRecord launch;
    launch.block = {256, 1, 1};
    launch.registers = registers;
    launch.static_shared_bytes = shared;
    return OccupancyOf(launch);
  };
  EXPECT_DOUBLE_EQ(with(32, 0), 1.0);
  EXPECT_DOUBLE_EQ(with(33, 0), 0.75);
  EXPECT_DOUBLE_EQ(with(48, 0), 0.625);
  EXPECT_DOUBLE_EQ(with(32, 256 * 8), 1.0);
  EXPECT_DOUBLE_EQ(with(32, 256 * 128), 0.5);
}

}  // namespace
}  // namespace warplings::off_the_cliff
