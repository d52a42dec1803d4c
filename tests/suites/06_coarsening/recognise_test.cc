// SPDX-License-Identifier: Apache-2.0
//
// What the recognisers of this chapter say of made-up evidence, where two mistakes meet.

#include <gtest/gtest.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "grader/messages/findings.h"
#include "grader/suite/comparison.h"
#include "reference/matmul.h"
#include "tests/suites/06_coarsening/coarsened_matmul_evidence.h"
#include "tests/suites/06_coarsening/coarsened_reduction_evidence.h"
#include "tests/suites/06_coarsening/fast_matmul_evidence.h"
#include "tests/suites/06_coarsening/messages.h"
#include "tests/suites/06_coarsening/when_not_to_evidence.h"
#include "tests/suites/common/messages.h"

namespace warplings {
namespace {

using Names = std::vector<std::string>;

Names IdsOf(const std::vector<Fact>& found) {
  Names ids;
  for (const Fact& each : found) ids.push_back(each.id);
  return ids;
}

Finding SharedRace() {
  Finding race;
  race.kind = FindingKind::kRace;
  race.space = MemorySpace::kShared;
  return race;
}

/// A block of 256 threads with a race, a tree and so many atomic additions, and a sum that no model gives.
coarsened_reduction::Evidence RacingReduction(std::uint64_t atomics) {
  coarsened_reduction::Evidence e;
  e.test = "OneElement";
  e.input = {3};
  e.is_exact = true;
  e.value = {7};
  e.result.wrong_count = 1;
  e.result.findings = {SharedRace()};
  LaunchRecord launch;
  launch.completed = true;
  launch.block = {256, 1, 1};
  launch.totals.global_atomic_bytes = 4 * atomics;
  launch.totals.shared_load_requests = 9;
  e.result.launches = {launch};
  return e;
}

TEST(ReductionFactsTest, AnAtomicAdditionForEachThreadIsNoMissingBarrier) {
  const std::vector<coarsened_reduction::Evidence> each = {RacingReduction(256)}, one = {RacingReduction(1)};
  EXPECT_EQ(IdsOf(coarsened_reduction::FactsOf(each)), Names{"coarse_sum_atomic_per_thread"});
  EXPECT_EQ(IdsOf(coarsened_reduction::FactsOf(one)), Names{"two_threads_race"});
}

/// The threads may all have added up the same places, and one of them the result to the output.
TEST(ReductionFactsTest, ThreadsThatReturnLeaveElementsUnwritten) {
  coarsened_reduction::Evidence e = RacingReduction(1);
  e.result.findings = {SharedRace(), SharedRace()};
  e.result.findings[0].kind = FindingKind::kUninitialised;
  e.result.findings[1].kind = FindingKind::kBarrierAfterExit;
  e.result.findings[1].severity = Severity::kWarning;
  EXPECT_EQ(IdsOf(coarsened_reduction::FactsOf(std::vector{e})), Names{"coarse_sum_returned"});
  e.result.findings.pop_back();
  EXPECT_EQ(IdsOf(coarsened_reduction::FactsOf(std::vector{e})), Names{}) << "nobody returns";
}

TEST(ReductionFactsTest, ASumTimesTheThreadsSaysNotWhoAddsToTheOutput) {
  std::vector<coarsened_reduction::Evidence> one = {RacingReduction(1)}, each = {RacingReduction(256)};
  for (auto* e : {&one.front(), &each.front()}) {
    e->value = {256 * 3};
    e->result.findings.clear();
  }
  EXPECT_EQ(IdsOf(coarsened_reduction::FactsOf(one)), Names{});
  EXPECT_EQ(IdsOf(coarsened_reduction::FactsOf(each)), Names{"coarse_sum_once_per_thread"});
}

/// A store of zero to the output races with what other blocks add; within one block a barrier would do.
TEST(ReductionFactsTest, AnOutputClearedInTheKernelIsNamed) {
  const auto raced = [](const Message& message) {
    coarsened_reduction::Evidence e = RacingReduction(1);
    Finding finding;
    finding.kind = FindingKind::kRace;
    finding.space = MemorySpace::kGlobal;
    finding.object = std::string("output");
    finding.access = Access::kAtomic;
    finding.other_access = Access::kWrite;
    finding.message = message;
    e.result.findings = {finding};
    return IdsOf(coarsened_reduction::FactsOf(std::vector{e}));
  };
  EXPECT_EQ(raced(say::race_of_blocks(say::atomically_updates(), "output", say::writes())),
            Names{"coarse_sum_cleared_in_kernel"});
  EXPECT_EQ(raced(say::race_in_block(say::atomically_updates(), "output", "warp 0", say::writes())), Names{});
}

/// Right sums of eight elements a thread, with an atomic addition of each thread; `bytes`: to the output.
coarsened_reduction::Evidence WithAtomics(std::uint64_t bytes) {
  coarsened_reduction::Evidence e;
  e.test = "PriceIsPaidOnceForEightElements";
  e.input.resize(coarsened_reduction::kCountedLength);
  e.is_exact = true;
  e.value = {0};
  LaunchRecord launch;
  launch.completed = true;
  launch.grid = {coarsened_reduction::kCountedLength / 2048, 1, 1};
  launch.block = {256, 1, 1};
  launch.totals.atomics = coarsened_reduction::kCountedLength / 8;
  launch.totals.global_atomic_bytes = bytes;
  e.result.launches = {launch};
  return e;
}

TEST(ReductionFactsTest, AtomicsInSharedMemoryDoNotAddToTheOutput) {
  const std::vector<coarsened_reduction::Evidence> global = {
      WithAtomics(coarsened_reduction::kCountedLength / 2)};
  const std::vector<coarsened_reduction::Evidence> shared = {WithAtomics(4 * 32)};
  EXPECT_EQ(IdsOf(coarsened_reduction::FactsOf(global)), Names{"coarse_sum_many_atomics"});
  EXPECT_EQ(IdsOf(coarsened_reduction::FactsOf(shared)), Names{});
}

TEST(ReductionFactsTest, ElementsThatAreLoadedThreeTimesDoNotLieApart) {
  coarsened_reduction::Evidence e = WithAtomics(4 * 32);
  Counts& counts = e.result.launches[0].totals;
  counts.global_load_sectors = coarsened_reduction::kCountedLength * 3 / 8;
  counts.global_load_bytes = 32 * counts.global_load_sectors;
  EXPECT_EQ(IdsOf(coarsened_reduction::FactsOf(std::vector{e})), Names{});
  counts.global_load_bytes /= 3;
  EXPECT_EQ(IdsOf(coarsened_reduction::FactsOf(std::vector{e})), Names{"coarse_sum_many_sectors"});
}

TEST(ReductionFactsTest, OneThreadThatAddsAloneHasNoNeighbours) {
  coarsened_reduction::Evidence e = WithAtomics(4);
  LaunchRecord& launch = e.result.launches[0];
  launch.grid = launch.block = {1, 1, 1};
  launch.totals.atomics = 1;
  launch.totals.global_load_sectors = coarsened_reduction::kCountedLength;
  launch.totals.global_load_bytes = 4 * coarsened_reduction::kCountedLength;
  EXPECT_EQ(IdsOf(coarsened_reduction::FactsOf(std::vector{e})), Names{});
  launch.totals.global_atomic_bytes = 0;
  EXPECT_EQ(IdsOf(coarsened_reduction::FactsOf(std::vector{e})), Names{});
}

/// Right products of width 128 by a quarter of the threads, with the bytes of tiles that nobody shares.
MatmulEvidence WithQuarterOfThreads(Dim3 grid, Dim3 block) {
  MatmulEvidence e;
  e.test = "TileOfMIsLoadedOnceForFourTilesOfP";
  e.shape = {128, 128, 128};
  LaunchRecord launch;
  launch.completed = true;
  launch.grid = grid;
  launch.block = block;
  launch.totals.shared_load_requests = 1;
  launch.totals.flops = 2 * 128 * 128 * 128;
  launch.totals.global_load_bytes = 8 * 128 * 128 * 4;
  ArrayTraffic m;
  m.label = "M";
  m.load_bytes = launch.totals.global_load_bytes / 2;
  launch.arrays = {m};
  e.result.launches = {launch};
  return e;
}

/// Four rows of one tile for each thread, or four tiles below one another, load as many bytes.
TEST(CoarsenedMatmulFactsTest, OnlyTilesSideBySideReloadTheTileOfM) {
  const auto ids = [](Dim3 grid, Dim3 block) {
    return IdsOf(coarsened_matmul::FactsOf(std::vector{WithQuarterOfThreads(grid, block)}));
  };
  EXPECT_EQ(ids({1, 4, 1}, {32, 32, 1}), Names{"coarse_matmul_m_reloaded"});
  EXPECT_EQ(ids({4, 1, 1}, {32, 32, 1}), Names{});
  EXPECT_EQ(ids({4, 4, 1}, {32, 8, 1}), Names{});
}

TEST(CoarsenedMatmulFactsTest, BlocksOfTwoTilesShareATileOfMBetweenTwo) {
  const auto step = [](Dim3 grid) {
    return English(coarsened_matmul::StepOfFewTiles(WithQuarterOfThreads(grid, {32, 32, 1}).result, 128));
  };
  EXPECT_EQ(step({2, 4, 1}),
            "M is loaded too often: by your grid, each block computes 2 tiles of P side by side, so a tile "
            "of M serves "
            "no more than these. Let a block compute four.");
  EXPECT_TRUE(step({4, 4, 1}).starts_with("M is loaded too often: the four tiles"));
  EXPECT_TRUE(step({2, 2, 1}).starts_with("M is loaded too often: the four tiles"));
}

/// One phase more than there are is a load of its own; what no tile explains is told in bytes.
TEST(CoarsenedMatmulFactsTest, TilesOfOnePhaseTooMany) {
  constexpr std::uint64_t kWidth = 128, kAllowed = 4 * kWidth * kWidth;
  TestResult result;
  LaunchRecord launch;
  launch.block = {32, 32, 1};
  result.launches = {launch};
  const auto step = [&](std::uint64_t loaded) {
    return English(coarsened_matmul::StepOfPart(result, "M", loaded, kAllowed, kWidth));
  };
  EXPECT_EQ(step(kAllowed / 4 * 5),
            "Each block loads 5 tiles of M, but width 128 has only 4 phases. Which of these loads is one "
            "too many?");
  EXPECT_TRUE(step(kAllowed / 8 * 9).starts_with("The kernel loads 8192 more bytes of M than it needs."));
  result.launches[0].block = {16, 16, 1};
  EXPECT_TRUE(step(kAllowed / 8 * 9).starts_with("Each block loads 9 tiles of M"));
  result.launches[0].block = {32, 8, 1};
  EXPECT_TRUE(step(kAllowed / 4 * 5).starts_with("The kernel loads"));
}

/// A grid of 2 x 1 at width 64: rows from 32 on have no block.
TEST(CoarsenedMatmulFactsTest, AGridWithXAndYInterchanged) {
  constexpr std::size_t kWidth = 64;
  const auto found = [&](Dim3 grid, std::size_t missing_from) {
    MatmulEvidence e;
    e.test = "EachElementHasItsOwnSum";
    e.shape = {kWidth, kWidth, kWidth};
    e.expected.value.assign(kWidth * kWidth, 0);
    e.expected.bound.assign(kWidth * kWidth, 0);
    for (std::size_t i = 0; i < kWidth * kWidth; ++i)
      e.p.push_back(i / kWidth < missing_from ? 1.0f : std::bit_cast<float>(Poison()));
    LaunchRecord launch;
    launch.completed = true;
    launch.grid = grid;
    launch.block = {32, 32, 1};
    e.result.launches = {launch};
    return coarsened_matmul::FactsOf(std::vector{e});
  };
  const std::vector<Fact> turned = found({2, 1, 1}, 32);
  EXPECT_EQ(IdsOf(turned), Names{"coarse_matmul_grid_turned"});
  EXPECT_TRUE(
      English(turned.at(0).message)
          .ends_with("the grid is 2 wide and 1 high, where 1 wide and 2 high would be right, and nothing was "
                     "stored from row 32 on"))
      << turned.at(0).message;
  EXPECT_EQ(IdsOf(found({1, 2, 1}, 32)), Names{}) << "the grid is right";
  EXPECT_EQ(IdsOf(found({2, 1, 1}, 33)), Names{});
}

/// Columns from 35 on are missing at width 64: threads whose columns are neighbours leave them out, and store
/// the others several times. Who stores each element once leaves them out for another reason.
TEST(CoarsenedMatmulFactsTest, ColumnsOverlapWhereTheyAreStoredSeveralTimes) {
  constexpr std::size_t kWidth = 64, kMissing = 35;
  MatmulEvidence e;
  e.test = "EachElementHasItsOwnSum";
  e.shape = {kWidth, kWidth, kWidth};
  e.expected.value.assign(kWidth * kWidth, 0);
  e.expected.bound.assign(kWidth * kWidth, 0);
  for (std::size_t i = 0; i < kWidth * kWidth; ++i)
    e.p.push_back(i % kWidth < kMissing ? 1.0f : std::bit_cast<float>(Poison()));
  LaunchRecord launch;
  launch.completed = true;
  ArrayTraffic p;
  p.label = "P";
  const auto found = [&](std::uint64_t stores_a_row) {
    p.store_bytes = kWidth * stores_a_row * sizeof(float);
    launch.arrays = {p};
    e.result.launches = {launch};
    return coarsened_matmul::FactsOf(std::vector{e});
  };
  const std::vector<Fact> overlap = found(128);
  EXPECT_EQ(IdsOf(overlap), Names{"coarse_matmul_columns_overlap"});
  EXPECT_TRUE(
      English(overlap.at(0).message)
          .ends_with("a thread's columns are 1 apart: columns 1 to 33 are stored by several threads, and "
                     "column 35 by none"))
      << overlap.at(0).message;
  EXPECT_EQ(IdsOf(found(kMissing)), Names{});
}

/// Right sums with a thread for each element; `eight`: what a warp executes where threads could have eight.
std::vector<coarsened_reduction::Evidence> WithThreadForEachElement(std::uint64_t eight) {
  std::vector<coarsened_reduction::Evidence> all;
  for (const std::size_t length : {256, 2048, coarsened_reduction::kCountedLength}) {
    coarsened_reduction::Evidence& e = all.emplace_back();
    e.test = "Elements" + std::to_string(length);
    e.input.resize(length);
    e.is_exact = true;
    e.value = {0};
    LaunchRecord launch;
    launch.completed = true;
    launch.grid = {static_cast<std::uint32_t>(length / 256), 1, 1};
    launch.block = {256, 1, 1};
    launch.longest_warp = length == 256 ? 100 : eight;
    launch.totals.atomics = length / 256;
    e.result.launches = {launch};
  }
  return all;
}

TEST(ReductionFactsTest, BlocksWithoutElementsAreNoUncoarsenedOnes) {
  EXPECT_EQ(IdsOf(coarsened_reduction::FactsOf(WithThreadForEachElement(100))), Names{"uncoarsened"});
  EXPECT_EQ(IdsOf(coarsened_reduction::FactsOf(WithThreadForEachElement(180))), Names{"grid_not_divided"});
}

/// A width of 5 in which each element has product `k` twice more than it should.
MatmulEvidence WithSurplus(std::size_t k) {
  constexpr std::size_t kWidth = 5;
  MatmulEvidence e;
  e.test = "RowsOfFive";
  e.shape = {kWidth, kWidth, kWidth};
  for (std::size_t i = 0; i < kWidth * kWidth; ++i) {
    e.m.push_back(static_cast<float>(i % 7 + 1));
    e.n.push_back(static_cast<float>(i % 4 + 2));
  }
  e.expected = reference::Matmul(e.m, e.n, kWidth, kWidth, kWidth);
  for (std::size_t i = 0; i < kWidth * kWidth; ++i) {
    const float product = e.m[i / kWidth * kWidth + k] * e.n[k * kWidth + i % kWidth];
    e.p.push_back(static_cast<float>(e.expected.value[i]) + 2 * product);
  }
  e.result.wrong_count = kWidth * kWidth;
  LaunchRecord launch;
  launch.completed = true;
  e.result.launches = {launch};
  return e;
}

TEST(FastMatmulFactsTest, LoadsMovedToEitherEndAddAProductAgain) {
  for (const std::size_t k : {0, 4, 2}) {
    const std::vector<MatmulEvidence> all = {WithSurplus(k)};
    const auto found = fast_matmul::FactsOf({all, {}});
    if (k == 2) {
      EXPECT_TRUE(found.empty());
      continue;
    }
    ASSERT_EQ(IdsOf(found),
              Names{k == 0 ? "fast_matmul_first_product_again" : "fast_matmul_last_product_again"});
    const Message surplus =
        k == 0 ? say::fast_matmul_first_product_again(2) : say::fast_matmul_last_product_again(2);
    EXPECT_EQ(found[0].message, say::of_test_with_width({"RowsOfFive"}, 5, surplus));
  }
}

/// Where the rows of a tile begin is no matter of the width.
TEST(FastMatmulFactsTest, VectorsInSharedMemoryAreAnotherMatterThanRowsOfAMatrix) {
  for (const MemorySpace space : {MemorySpace::kGlobal, MemorySpace::kShared}) {
    std::vector<MatmulEvidence> all(1);
    all[0].test = "RowsOf67";
    all[0].result.findings.resize(1);
    all[0].result.findings[0].kind = FindingKind::kMisaligned;
    all[0].result.findings[0].space = space;
    EXPECT_EQ(IdsOf(fast_matmul::FactsOf({all, {}})),
              space == MemorySpace::kGlobal ? Names{"fast_matmul_misaligned"} : Names{});
  }
}

/// As where a `break` is missing between the launches of two factors.
TEST(WhenNotToFactsTest, ElementsThatTwoKernelsLoadDoNotLieApart) {
  when_not_to::Evidence e;
  e.test = "CountedLength";
  e.length = when_not_to::kCountedLength;
  e.coarse_factor = when_not_to::kCountedFactor;
  LaunchRecord launch;
  launch.completed = true;
  launch.grid = {64, 1, 1};
  launch.block = {256, 1, 1};
  Counts& counts = launch.totals;
  counts.global_load_sectors = 4 * e.length / 8;
  counts.global_store_sectors = 2 * e.length / 8;
  counts.global_load_bytes = 32 * counts.global_load_sectors;
  counts.global_store_bytes = 32 * counts.global_store_sectors;
  const auto names = [&] {
    e.result.launches = {launch};
    return IdsOf(when_not_to::FactsOf(std::vector{e}, {}));
  };
  EXPECT_EQ(names(), Names{});
  counts.global_load_bytes /= 2;
  counts.global_store_bytes /= 2;
  EXPECT_EQ(names(), Names{"when_not_to_many_sectors"});
}

/// What is said of exact sums that lack the elements for which `lacks` is true, with blocks of so many
/// threads.
std::string MistakeOf(const std::function<bool(std::size_t element, std::size_t length)>& lacks,
                      std::uint32_t threads = 256) {
  std::vector<coarsened_reduction::Evidence> all;
  for (const std::size_t length : {1u, 31u, 256u, 300u, 2047u, 2049u, 4500u}) {
    coarsened_reduction::Evidence& e = all.emplace_back();
    e.is_exact = true;
    float sum = 0;
    for (std::size_t i = 0; i < length; ++i) {
      e.input.push_back(static_cast<float>(1 + i * i % 97));
      if (lacks(i, length))
        ++e.result.wrong_count;
      else
        sum += e.input.back();
    }
    e.value = {sum};
    LaunchRecord launch;
    launch.completed = true;
    launch.block = {threads, 1, 1};
    e.result.launches = {launch};
  }
  return English(coarsened_reduction::MistakeInSums(all));
}

TEST(ReductionFactsTest, WhichMistakeLeavesElementsOut) {
  using std::size_t;
  EXPECT_EQ(MistakeOf([](size_t, size_t) { return false; }), "");
  EXPECT_EQ(MistakeOf([](size_t i, size_t) { return i == 5; }), "");
  EXPECT_EQ(MistakeOf([](size_t i, size_t length) { return i % 512 < 256 && i + 256 >= length; }),
            "A thread skips all of its 2 elements, 256 apart, if the last of them does not exist: with "
            "length 1, input[0] is left "
            "out because there is no input[256]. Check each element by itself.");
  EXPECT_EQ(
      MistakeOf([](size_t i, size_t length) { return i >= length / 256 * 256; }),
      "Only whole groups of 256 neighbouring elements are used: with length 1, input[0] is left out because "
      "there is no input[255]. Check each element by itself.");
  EXPECT_EQ(
      MistakeOf([](size_t i, size_t length) { return i >= length / 2048 * 2048 + 256; }),
      "In a segment that is not full, only the first 256 elements are added: with length 300, input[256] is "
      "left out. By how much does the index grow there from step to step?");
  EXPECT_EQ(
      MistakeOf([](size_t i, size_t) { return i % 3 == 2; }, 192),
      "The tree over 192 threads comes to 3 partial sums, an odd number, and loses the last one: with length "
      "31, input[2] is missing. Round up when you halve the number, or begin with a power of two.");
}

/// What is said where the elements of C for which `is_left_out` is true are never stored.
std::string LeftOut(const std::function<bool(int i, int length, int factor)>& is_left_out) {
  std::vector<when_not_to::Evidence> all;
  for (const auto& [length, factor] : {std::pair{1, 8}, {257, 2}, {1000, 1}, {1023, 4}, {2049, 8}}) {
    when_not_to::Evidence& e = all.emplace_back();
    e.length = length;
    e.coarse_factor = factor;
    for (int i = 0; i < length; ++i) {
      e.is_wrong.push_back(is_left_out(i, length, factor));
      e.c.push_back(e.is_wrong.back() ? std::bit_cast<float>(Poison()) : 1.0f);
    }
    LaunchRecord launch;
    launch.completed = true;
    e.result.launches = {launch};
  }
  return English(when_not_to::ElementsLeftOut(all));
}

TEST(WhenNotToFactsTest, WhichElementsAreLeftOutTogether) {
  EXPECT_EQ(LeftOut([](int, int, int) { return false; }), "");
  EXPECT_EQ(LeftOut([](int i, int, int) { return i == 0; }), "");
  const auto last = [](int i, int factor, int stride) {
    return i / (factor * stride) * factor * stride + (factor - 1) * stride + i % stride;
  };
  EXPECT_EQ(LeftOut([&](int i, int length, int factor) { return last(i, factor, 256) >= length; }),
            "A thread skips all of its 8 elements, 256 apart, if the last of them does not exist: with 1 "
            "element and "
            "coarse_factor 8, "
            "C[0] is left out because there is no C[1792]. Check each element by itself.");
  EXPECT_EQ(LeftOut([&](int i, int length, int factor) {
              return i % (factor * 256) >= 256 && last(i, factor, 256) >= length;
            }),
            "A thread uses only the first of its 4 elements, 256 apart, if the last of them does not exist: "
            "with 1023 "
            "elements and "
            "coarse_factor 4, C[511] is left out because there is no C[1023]. Check each element by itself.");
  EXPECT_EQ(LeftOut([](int i, int length, int factor) { return i >= length / (32 * factor) * 32 * factor; }),
            "Only whole groups of 256 neighbouring elements are used: with 1 element and coarse_factor 8, "
            "C[0] is left "
            "out because there is no C[255]. Check each element by itself.");
}

TEST(CoarsenedMatmulFactsTest, WhichColumnsAreLeftOutTogether) {
  const auto left_out = [](const std::function<bool(int column, int width)>& is_left_out) {
    std::vector<MatmulEvidence> all;
    for (const int width : {1, 33, 100, 128, 129}) {
      MatmulEvidence& e = all.emplace_back();
      e.shape = {width, width, width};
      for (int i = 0; i < width * width; ++i)
        e.p.push_back(is_left_out(i % width, width) ? std::bit_cast<float>(Poison()) : 1.0f);
      LaunchRecord launch;
      launch.completed = true;
      e.result.launches = {launch};
    }
    return English(coarsened_matmul::ColumnsLeftOut(all));
  };
  EXPECT_EQ(left_out([](int column, int width) { return column / 128 * 128 + 96 + column % 32 >= width; }),
            "If the last of a thread's 4 columns, 32 apart, does not exist, none is stored: with width 1, "
            "P[0][0] is left out because there is no P[0][96]. Check each column by itself.");
  EXPECT_EQ(left_out([](int, int) { return false; }), "");
  EXPECT_EQ(left_out([](int column, int width) { return column >= width / 128 * 128; }), "") << "no block";
}

TEST(WhenNotToFactsTest, QuestionsWaitForCodeThatNobodyCouldName) {
  when_not_to::Evidence e;
  e.test = "OneElement";
  e.length = 1;
  e.c = {1};
  LaunchRecord launch;
  launch.completed = true;
  e.result.launches = {launch};
  e.result.verdict = Verdict::kPassed;
  when_not_to::Answers answers;
  answers.idle_multiprocessors = 32;
  const std::vector<when_not_to::Evidence> right = {e};
  EXPECT_EQ(IdsOf(when_not_to::FactsOf(right, answers)), Names{"busy_for_idle"});
  e.result.verdict = Verdict::kWrongResult;
  e.result.wrong_count = 1;
  const std::vector<when_not_to::Evidence> wrong = {e};
  EXPECT_EQ(IdsOf(when_not_to::FactsOf(wrong, answers)), Names{});
}

}  // namespace
}  // namespace warplings
