// SPDX-License-Identifier: Apache-2.0
// The drills about occupancy and banks, answered by the code that grades.
#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>

#include "grader/core/layout.h"
#include "grader/device/device_profile.h"
#include "grader/device/occupancy.h"
#include "grader/workbook/drills.h"
#include "reference/banks.h"

namespace warplings {
namespace {

using reference::LaneAddresses;

DeviceProfile A100() {
  const DeviceProfile* profile = FindDeviceProfile("a100");
  EXPECT_NE(profile, nullptr);
  return profile != nullptr ? *profile : DeviceProfile{};
}

double Blocks(const BlockShape& shape) {
  return BlocksPerMultiprocessor(A100(), shape);
}

double Percent(const BlockShape& shape) {
  return 100 * Occupancy(A100(), shape);
}

/// Word of each lane, for elements of 4 bytes.
double Degree(const std::function<int(int)>& word) {
  LaneAddresses addresses{};
  for (int lane = 0; lane < reference::kWarpLanes; ++lane)
    addresses[static_cast<std::size_t>(lane)] = static_cast<std::uint32_t>(4 * word(lane));
  return reference::UseOfBanks(addresses, 4).degree;
}

double Bank(int byte) {
  return reference::BankOf(static_cast<std::uint32_t>(byte));
}

void Compare(const std::string& chapter, const std::map<std::string, double>& computed) {
  const auto drills = LoadDrills(ThisLayout().root, chapter);
  ASSERT_TRUE(drills.ok()) << drills.error().message;
  std::size_t compared = 0;
  for (const Drill& drill : *drills) {
    const auto found = computed.find(drill.id);
    if (found == computed.end()) continue;
    ++compared;
    EXPECT_DOUBLE_EQ(drill.answer, found->second) << drill.id;
  }
  EXPECT_EQ(compared, computed.size()) << "a drill has another id";
}

TEST(ProductAnswers, Occupancy) {
  constexpr std::uint32_t kKilobyte = 1024;
  Compare("04_occupancy",
          {{"warps_of_an_sm", Blocks({.threads = 1024}) * 1024 / 32},
           {"blocks_by_threads", Blocks({.threads = 768})},
           {"tiny_blocks", Percent({.threads = 32})},
           {"blocks_by_shared", Blocks({.threads = 32, .dynamic_shared_bytes = 20 * kKilobyte})},
           {"warps_by_registers", Blocks({.threads = 32, .registers = 80})},
           {"cliff_of_large_blocks", Percent({.threads = 512, .registers = 80})}});
}

TEST(ProductAnswers, Banks) {
  Compare("05_bank_conflicts",
          {{"bank_of_a_byte", Bank(200)},
           {"lanes_of_bank_0", Degree([](int lane) { return 32 * lane; })},
           {"one_word_for_all", Degree([](int) { return 7; })},
           {"stride_of_12", Degree([](int lane) { return 12 * lane; })},
           {"padded_row", Bank(4 * (5 * 33 + 2))},
           {"padding_of_4", Degree([](int lane) { return 36 * lane; })},
           {"doubles_two_apart", reference::UseOfBanks(reference::Strided(0, 16), 8).wavefronts}});
}

}  // namespace
}  // namespace warplings
