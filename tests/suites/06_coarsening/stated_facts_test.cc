// SPDX-License-Identifier: Apache-2.0
// What the chapter's texts say in numbers, held against the table of cards.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <string>

#include "grader/timing/roofline.h"

namespace warplings {
namespace {

long Lanes(const char* id) {
  const DeviceProfile& card = *FindDeviceProfile(id);
  return std::lround(timing::PeakFlopsPerSecond(card) / (2e3 * card.clock_khz * card.multiprocessors));
}

/// Shared memory serves 32 words a cycle; how many times that a multiprocessor could multiply depends on its
/// lanes.
TEST(StatedFacts, LanesBesideTheWordsOfSharedMemory) {
  for (const char* id : {"t4", "v100", "a100"}) EXPECT_EQ(Lanes(id), 64) << id;
  for (const char* id : {"rtx3060", "rtx4090", "h100", "h200", "b200"}) EXPECT_EQ(Lanes(id), 128) << id;
  std::ifstream stream(WARPLINGS_CHAPTERS "/06_coarsening/chapter.toml");
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  for (char& each : text) each = each == '\n' ? ' ' : each;
  EXPECT_NE(
      text.find(
          "In one cycle, a multiprocessor gets 32 words from there, but could do 64 multiply-adds (A100) or "
          "128 (H200)."),
      std::string::npos);
}

}  // namespace
}  // namespace warplings
