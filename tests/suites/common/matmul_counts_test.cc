// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/common/matmul_counts.h"

#include <gtest/gtest.h>

#include "tests/suites/common/messages.h"

namespace warplings {
namespace {

/// A call that loaded so many words of M and of N.
MatmulEvidence Called(const MatmulShape& shape, std::uint64_t of_m, std::uint64_t of_n,
                      std::uint64_t elements_of_a_thread) {
  MatmulEvidence evidence;
  evidence.shape = shape;
  evidence.most_elements_of_a_thread = elements_of_a_thread;
  evidence.result.verdict = Verdict::kPassed;
  LaunchRecord& launch = evidence.result.launches.emplace_back();
  launch.arrays = {{"M", 4 * of_m, of_m / 8, 0, 0}, {"N", 4 * of_n, of_n / 8, 0, 0}};
  return evidence;
}

TEST(LeastSharedTrafficTest, AWordServesAllElementsOfItsThread) {
  const MatmulShape shape{64, 64, 64};
  const auto loads = [&](std::uint64_t elements) {
    return LeastSharedTraffic(Called(shape, 0, 0, elements), TilesOf::kBoth).load_wavefronts;
  };
  EXPECT_EQ(loads(64), 64 * 64 * 64 / 32 / 64);
  EXPECT_EQ(loads(5), 1639);  // 262144 / 160, rounded up
  // Who adds up partial sums of other threads stores fewer elements than it computes.
  EXPECT_EQ(loads(1), 2048);
  EXPECT_EQ(loads(0), 2048);
}

TEST(LeastSharedTrafficTest, HalfOfWhatIsLoadedIsStored) {
  const auto stores = [](TilesOf of) {
    return LeastSharedTraffic(Called({64, 64, 64}, 16'384, 8'192, 1), of).store_wavefronts;
  };
  EXPECT_EQ(stores(TilesOf::kOneMatrix), (8'192 - 1024) / 64);
  EXPECT_EQ(stores(TilesOf::kBoth), (24'576 - 1024) / 64);
  EXPECT_EQ(LeastSharedTraffic(Called({1, 1, 1}, 256, 256, 1), TilesOf::kBoth).store_wavefronts, 0);
}

TEST(RequireSharedTrafficTest, ConflictsAndWhatLiesBelowTheLimitDoNotCount) {
  const auto verdict = [](std::uint64_t loads, std::uint64_t load_conflicts, std::uint64_t stores) {
    MatmulEvidence evidence = Called({64, 64, 64}, 16'384, 16'384, 1);
    Counts& counts = evidence.result.launches.front().totals;
    counts.shared_load_requests = 1;
    counts.shared_load_wavefronts = loads;
    counts.shared_load_conflicts = load_conflicts;
    counts.shared_store_wavefronts = stores;
    RequireSharedTraffic(evidence, TilesOf::kBoth);
    return evidence.result.verdict;
  };
  EXPECT_EQ(verdict(2048, 0, 496), Verdict::kPassed);
  EXPECT_EQ(verdict(2047, 0, 496), Verdict::kWrongResult);
  EXPECT_EQ(verdict(4096, 2049, 496), Verdict::kWrongResult);
  EXPECT_EQ(verdict(2048, 0, 495), Verdict::kWrongResult);
}

/// A beginner does not know what a wavefront is.
TEST(RequireSharedTrafficTest, SaysInPlainWordsWhatIsCounted) {
  MatmulEvidence evidence = Called({64, 64, 64}, 16'384, 16'384, 1);
  Counts& counts = evidence.result.launches.front().totals;
  counts.shared_load_requests = 1;
  counts.shared_load_wavefronts = 2048;
  counts.shared_store_wavefronts = 48;
  RequireSharedTraffic(evidence, TilesOf::kBoth);
  EXPECT_EQ(English(evidence.result.reason),
            "warps store to shared memory only 48 times, up to 32 words at a time (wavefronts); filling the "
            "tiles takes at least 496");
}

TEST(RequireSharedTrafficTest, TheLoadsOfTheMatrixWithoutATileAreCounted) {
  MatmulEvidence evidence = Called({64, 64, 64}, 16'384, 131'072, 1);
  Counts& counts = evidence.result.launches.front().totals;
  counts.shared_load_requests = 1;
  counts.shared_load_wavefronts = 4096;
  counts.shared_store_wavefronts = 512;
  RequireSharedTraffic(evidence, TilesOf::kBoth);
  EXPECT_EQ(English(evidence.result.reason),
            "the threads load elements of N 131072 times; with 16 x 16 tiles, 16384 loads are enough");
  EXPECT_TRUE(
      English(evidence.result.next_step).starts_with("N, unlike M, is loaded from global memory too often"));
}

TEST(RequireSharedTrafficTest, AMatrixSmallerThanATileGetsNoNumbersOfTiles) {
  MatmulEvidence evidence = Called({2, 64, 64}, 1024, 16'384, 1);
  Counts& counts = evidence.result.launches.front().totals;
  counts.shared_load_requests = 1;
  counts.shared_load_wavefronts = 1'000'000;
  RequireSharedTraffic(evidence, TilesOf::kBoth);
  EXPECT_EQ(evidence.result.next_step, say::load_small_matrix_by_tiles("N", "M"));
  EXPECT_TRUE(say::many_loads_of_matrix.Made(evidence.result.reason)) << evidence.result.reason;
}

TEST(RequireSharedTrafficTest, AKernelWithTilesIsNotToldToHaveSome) {
  const auto next_step = [](std::uint32_t static_shared_bytes) {
    MatmulEvidence evidence = Called({64, 64, 64}, 16'384, 16'384, 1);
    evidence.result.launches.front().static_shared_bytes = static_shared_bytes;
    RequireSharedTraffic(evidence, TilesOf::kBoth);
    return evidence.result.next_step;
  };
  EXPECT_EQ(next_step(0), say::load_each_tile_once());
  EXPECT_EQ(next_step(8192), say::use_tiles_in_every_call());
}

TEST(LoadsAreCoalescedTest, RowsThatBeginAnywhereMayTouchFourTimesTheSectors) {
  MatmulEvidence evidence = Called({33, 33, 33}, 33 * 33, 33 * 33, 1);
  ArrayTraffic& of_m = evidence.result.launches.front().arrays[0];
  of_m.load_sectors = 33 * 4 * (5 + 2);
  EXPECT_TRUE(LoadsAreCoalesced(evidence));
  ++of_m.load_sectors;
  EXPECT_FALSE(LoadsAreCoalesced(evidence));
  // Loaded twice, it may touch twice as many.
  of_m.load_bytes *= 2;
  EXPECT_TRUE(LoadsAreCoalesced(evidence));
}

/// A function that loads an element for both tiles: only the call that wastes sectors is meant.
TEST(WasteOfLoadsTest, ALineOfAFunctionSaysWhoCallsIt) {
  const auto load = [](std::uint64_t sectors) {
    Counts counts;
    counts.global_load_requests = 10;
    counts.global_load_sectors = 10 * sectors;
    counts.global_load_bytes = 10 * 128;
    return counts;
  };
  const auto said = [&](const std::vector<CallCounts>& calls) {
    TestResult result;
    LineCounts line{{"a.cu", 22}, {}, calls};
    for (const CallCounts& call : calls) line.counts += call.counts;
    result.launches.emplace_back().lines = {line};
    return English(WasteOfLoads(result));
  };
  EXPECT_EQ(said({{27, load(4)}, {31, load(16)}}),
            "in line 22, called from line 31, a warp loads 128 bytes from 16 sectors of 32 bytes");
  EXPECT_EQ(said({{27, load(16)}, {31, load(16)}}),
            "in line 22, a warp loads 128 bytes from 16 sectors of 32 bytes");
  EXPECT_EQ(said({{31, load(16)}}), "in line 22, a warp loads 128 bytes from 16 sectors of 32 bytes");
}

}  // namespace
}  // namespace warplings
