// SPDX-License-Identifier: Apache-2.0
// What the chapter's texts say in numbers, held against the tables that judge.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "chapters/04_occupancy/off_the_cliff.h"
#include "grader/device/occupancy.h"
#include "grader/timing/roofline.h"

namespace warplings {
namespace {

/// A file's words with one blank between them; marks of comments are left out.
std::string Chapter(const std::string& file) {
  std::ifstream stream(WARPLINGS_CHAPTERS "/04_occupancy/" + file);
  std::string text;
  for (std::string word; stream >> word;) {
    if (word != "//" && word != "#") text += word + " ";
  }
  return text;
}

bool Says(const std::string& file, const std::string& words) {
  return Chapter(file).find(words) != std::string::npos;
}

const DeviceProfile& Card(const char* id) {
  return *FindDeviceProfile(id);
}

double Cycles(const DeviceProfile& card) {
  return 1e3 * card.clock_khz * card.multiprocessors;
}

/// Cycles and lanes rank these two the other way round, so the contract must not call cycles throughput.
TEST(StatedFacts, CyclesAreNoThroughput) {
  const DeviceProfile &t4 = Card("t4"), &rtx3060 = Card("rtx3060");
  EXPECT_GT(Cycles(t4), Cycles(rtx3060));
  EXPECT_LT(timing::PeakFlopsPerSecond(t4), timing::PeakFlopsPerSecond(rtx3060));
  EXPECT_NEAR(timing::PeakFlopsPerSecond(t4) / 2 / Cycles(t4), 64, 0.01);
  EXPECT_NEAR(timing::PeakFlopsPerSecond(rtx3060) / 2 / Cycles(rtx3060), 128, 0.01);
  EXPECT_TRUE(Says("pick_device.h", "a multiprocessor of an RTX 3060 has 128 FP32 lanes"));
  EXPECT_TRUE(Says("pick_device.h", "one of a T4 has 64"));
  EXPECT_FALSE(Says("pick_device.cu", "throughput"));
  EXPECT_FALSE(Says("chapter.toml", "throughput"));
}

/// What the starter's head says about 48 and 32 registers; the contract allows 32 itself.
TEST(StatedFacts, FortyEightRegistersAndThirtyTwo) {
  const auto occupancy = [](std::uint32_t registers) {
    return Occupancy(Card("a100"), {.threads = 256, .registers = registers});
  };
  EXPECT_EQ(occupancy(48), 0.625);
  EXPECT_EQ(occupancy(32), 1);
  EXPECT_TRUE(Says("off_the_cliff.cu", "62.5 % occupancy"));
  EXPECT_TRUE(Says("off_the_cliff.cu", "32 or fewer"));
  EXPECT_FALSE(Says("off_the_cliff.cu", "under 32"));
  EXPECT_TRUE(Says("off_the_cliff.h", "more than 32 registers"));
}

}  // namespace
}  // namespace warplings
