// SPDX-License-Identifier: Apache-2.0
#include "grader/virtual_gpu/memory/free_ranges.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

namespace warplings::vgpu {
namespace {

constexpr std::uint64_t kGranule = 16;

TEST(FreeRanges, TakesTheSmallestRangeThatIsLargeEnough) {
  FreeRanges free(kGranule);
  free.Add(0, 1024);
  free.Add(4096, 64);
  free.Add(8192, 32);
  EXPECT_EQ(free.Take(40, 1), 4096u);  // rounded up to 48
  EXPECT_EQ(free.Take(16, 1), 4144u);  // what was left of it
  EXPECT_EQ(free.Take(32, 1), 8192u);
  EXPECT_EQ(free.Take(1024, 1), 0u);
  EXPECT_EQ(free.Take(1, 1), std::nullopt);
}

TEST(FreeRanges, AlignsAndKeepsWhatLiesBefore) {
  FreeRanges free(kGranule);
  free.Add(16, 1024);
  EXPECT_EQ(free.Take(16, 256), 256u);
  EXPECT_EQ(free.Take(240, 1), 16u);
  EXPECT_EQ(free.Take(768, 1), 272u);
  EXPECT_EQ(free.Take(1, 1), std::nullopt);
}

TEST(FreeRanges, AnAlignedRequestDoesNotTakeARangeThatIsTooShortForIt) {
  FreeRanges free(kGranule);
  free.Add(16, 256);
  EXPECT_EQ(free.Take(256, 256), std::nullopt);
  EXPECT_EQ(free.Take(256, 1), 16u);
}

TEST(FreeRanges, RangesThatComeBackInAnyOrderAreOneAgain) {
  constexpr std::uint64_t kAll = 1 << 20;
  FreeRanges free(kGranule);
  free.Add(0, kAll);
  struct Taken {
    std::uint64_t start, bytes;
  };
  std::vector<Taken> taken;
  std::vector<bool> is_used(kAll / kGranule);
  std::mt19937 random(1);
  for (int turn = 0; turn < 20'000; ++turn) {
    if (taken.empty() || random() % 2) {
      const std::uint64_t bytes = (random() % 64 + 1) * kGranule, alignment = 1u << random() % 10;
      const auto start = free.Take(bytes, alignment);
      if (!start) continue;
      ASSERT_EQ(*start % alignment, 0u);
      for (auto at = *start; at < *start + bytes; at += kGranule) {
        ASSERT_FALSE(is_used[at / kGranule]) << "given out twice";
        is_used[at / kGranule] = true;
      }
      taken.push_back({*start, bytes});
    } else {
      std::swap(taken[random() % taken.size()], taken.back());
      const Taken gone = taken.back();
      taken.pop_back();
      for (auto at = gone.start; at < gone.start + gone.bytes; at += kGranule) is_used[at / kGranule] = false;
      free.Add(gone.start, gone.bytes);
    }
  }
  for (const Taken& gone : taken) free.Add(gone.start, gone.bytes);
  EXPECT_EQ(free.Take(kAll, 1), 0u);
}

}  // namespace
}  // namespace warplings::vgpu
