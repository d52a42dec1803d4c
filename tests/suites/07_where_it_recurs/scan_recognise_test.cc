// SPDX-License-Identifier: Apache-2.0
//
// What the recognisers of scan say of made-up evidence, where two mistakes look alike.

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "grader/messages/device_work.h"
#include "grader/messages/findings.h"
#include "grader/messages/joining.h"
#include "grader/messages/judging.h"
#include "grader/suite/comparison.h"
#include "reference/scan.h"
#include "tests/suites/07_where_it_recurs/scan_evidence.h"

namespace warplings::scan {
namespace {

using Names = std::vector<std::string>;

Names IdsOf(const std::vector<Evidence>& all) {
  Names ids;
  for (const Fact& each : FactsOf(all)) ids.push_back(each.id);
  return ids;
}

/// Blocks of 2 threads have scanned 12 elements.
Evidence Scanned(std::vector<int> output) {
  Evidence e;
  e.test = "SeveralTiles";
  e.input = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  e.result.wrong_count = output == reference::Scan(e.input) ? 0 : 1;
  e.output = std::move(output);
  LaunchRecord launch;
  launch.completed = true;
  launch.block = {2, 1, 1};
  e.result.launches = {launch};
  return e;
}

Evidence WithRaces(std::vector<std::pair<int, int>> lines) {
  Evidence e = Scanned({1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78});
  for (const auto& [read, written] : lines) {
    Finding race;
    race.kind = FindingKind::kRace;
    race.space = MemorySpace::kShared;
    race.access = Access::kRead;
    race.other_access = Access::kWrite;
    race.where.line = read;
    race.other = SourceLine{"", written};
    e.result.findings.push_back(race);
  }
  return e;
}

TEST(ScanFactsTest, RightSumsAreNoFact) {
  EXPECT_EQ(IdsOf({Scanned({1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78})}), Names{});
}

/// Sums that begin with whatever an array of the submission's held: no value says so.
TEST(ScanFactsTest, AnArrayThatNobodySetIsTold) {
  Evidence e = Scanned({8, 10, 13, 17, 22, 28, 35, 43, 52, 62, 73, 85});
  Finding unset;
  unset.kind = FindingKind::kUninitialised;
  unset.space = MemorySpace::kGlobal;
  for (const std::string array : {"offsets", "output"}) {
    unset.object = array;
    e.result.findings = {unset};
    EXPECT_EQ(IdsOf({e}), array == "offsets" ? Names{"scan_own_array_unset"} : Names{}) << array;
  }
  unset.object = "offsets";
  Finding refused;
  refused.kind = FindingKind::kInvalidLaunch;
  e.result.findings = {refused, unset};
  EXPECT_EQ(IdsOf({e}), Names{}) << "the kernel that sets it did not run";
}

/// Of a short input, no sum at all is stored: a longer one shows where the last elements begin.
TEST(ScanFactsTest, LastSumsAreToldOfACallWithRightOnes) {
  constexpr std::uint32_t kPoison = 0x7fd5c0de;
  SetPoison(kPoison);
  const int unwritten = std::bit_cast<int>(kPoison);
  Evidence short_one = Scanned({unwritten});
  short_one.input = {1};
  Evidence longer = Scanned({1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, unwritten});
  const auto told = [](const std::vector<Evidence>& all) {
    const std::vector<Fact> facts = FactsOf(all);
    return facts.size() == 1 ? English(facts[0].message) : "";
  };
  EXPECT_EQ(told({short_one}), "SeveralTiles: with length = 1, no sum is ever stored");
  EXPECT_EQ(told({short_one, longer}),
            "SeveralTiles: with length = 12, the sums from output[11] on are never stored");
}

TEST(ScanFactsTest, SumsThatBeginAnew) {
  EXPECT_EQ(IdsOf({Scanned({1, 3, 6, 10, 5, 11, 18, 26, 9, 19, 30, 42})}), Names{"scan_tiles_alone"});
}

TEST(ScanFactsTest, SumsOfTheOwnPieceAreAddedTwice) {
  EXPECT_EQ(IdsOf({Scanned({11, 13, 16, 20, 41, 47, 54, 62, 87, 97, 108, 120})}),
            Names{"scan_own_tile_twice"});
  EXPECT_EQ(IdsOf({Scanned({1, 3, 6, 10, 41, 47, 54, 62, 87, 97, 108, 120})}), Names{"scan_own_tile_twice"})
      << "a first tile that adds nothing";
}

TEST(ScanFactsTest, SumsWithoutTheirElement) {
  EXPECT_EQ(IdsOf({Scanned({0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66})}), Names{"scan_exclusive"});
}

/// Blocks of 8 threads, with one element each.
TEST(ScanFactsTest, StepsThatLeaveOutSums) {
  const auto told = [](std::vector<int> output) {
    Evidence e = Scanned({});
    e.input = {1, 2, 4, 8, 16, 32, 64, 128};
    e.output = std::move(output);
    e.result.wrong_count = 1;
    e.result.launches.front().block = {8, 1, 1};
    std::vector<std::string> words;
    for (const Fact& each : FactsOf(std::vector{e})) words.push_back(English(each.message));
    return words;
  };
  EXPECT_EQ(told({1, 3, 7, 15, 31, 62, 124, 248}),
            Names{"SeveralTiles: the steps end too early: a sum reaches back over only 4 of the 8 threads"});
  EXPECT_EQ(
      told({1, 3, 6, 14, 30, 62, 126, 254}),
      Names{"SeveralTiles: at distance 2, thread 2 does not add the sum of thread 0, and so in each step"});
  EXPECT_EQ(told({1, 3, 7, 15, 31, 62, 125, 248}), Names{});
}

/// Tiles of 4 elements, with 2 threads.
TEST(ScanFactsTest, ASumOfATileThatIsNotAll) {
  const Evidence first = Scanned({1, 3, 6, 10, 8, 14, 21, 29, 23, 33, 44, 56});
  EXPECT_EQ(IdsOf({first}), Names{"scan_sum_of_first_elements"});
  EXPECT_EQ(English(FactsOf(std::vector{first}).at(0).message),
            "SeveralTiles: a tile passes on only the sum of its first 2 elements, not of all its 4 elements");
  EXPECT_EQ(IdsOf({Scanned({1, 3, 6, 10, 8, 14, 21, 29, 23, 33, 44, 57})}), Names{});
}

/// A function that scans the sums of its tiles with itself makes longer calls wrong in another way, too.
TEST(ScanFactsTest, AnExclusiveScanIsSeenInShortCalls) {
  Evidence longer = Scanned({});
  longer.input.assign(40, 1);
  longer.output.assign(40, 7);
  longer.result.wrong_count = 39;
  EXPECT_EQ(IdsOf({Scanned({0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66}), longer}), Names{"scan_exclusive"});
}

/// Each element once, and the sums of all tiles before by every thread.
TEST(ScanFactsTest, SumsOfTilesThatAreAddedUpAgain) {
  Evidence e = Scanned({});
  e.input.assign(std::size_t{1} << 19, 0);
  e.output = e.input;
  e.result.verdict = Verdict::kWrongResult;
  e.result.wrong_count = 0;
  const std::uint64_t bytes = sizeof(int) * e.input.size();
  e.result.launches[0].totals.global_load_bytes = 100 * bytes;
  ArrayTraffic of_input;
  of_input.label = "input";
  of_input.load_bytes = bytes;
  e.result.launches[0].arrays = {of_input};
  EXPECT_EQ(IdsOf({e}), Names{"scan_sums_loaded_again"});
  e.result.launches[0].arrays[0].load_bytes = 90 * bytes;
  EXPECT_EQ(IdsOf({e}), Names{"scan_loaded_again"});
}

/// Tests that fail for a copy do not fail for the loads of the longest of them.
TEST(ScanFactsTest, WhatACopyWritesIsNoMatterOfLoads) {
  Evidence e = Scanned({});
  e.input.assign(std::size_t{1} << 19, 0);
  e.output = e.input;
  e.result.verdict = Verdict::kWrongResult;
  e.result.wrong_count = 0;
  e.result.launches[0].totals.global_load_bytes = 100 * sizeof(int) * e.input.size();
  std::vector<Fact> facts = FactsOf(std::vector{e});
  ASSERT_EQ(facts.size(), 1u);
  EXPECT_EQ(facts[0].id, "scan_loaded_again");
  EXPECT_TRUE(facts[0].tests.empty()) << "all that fail alike";
  const Message copied = say::all_copied({e.input.size(), "element"}, "output");
  for (const Message& reason : {copied, Message(say::copied_by_host(copied))}) {
    e.result.reason = reason;
    facts = FactsOf(std::vector{e});
    ASSERT_EQ(facts.size(), 1u);
    EXPECT_EQ(facts[0].id, "scan_loaded_again");
    EXPECT_EQ(facts[0].tests, Names{e.test});
  }
}

/// An addition to a thread's own sum reads in its line, too.
TEST(ScanFactsTest, ARaceOfTwoLinesSaysMore) {
  EXPECT_EQ(IdsOf({WithRaces({{7, 7}})}), Names{"scan_overwritten"});
  EXPECT_EQ(IdsOf({WithRaces({{7, 7}, {9, 7}})}), Names{"scan_read_early"});
}

Evidence WithRaceOfBlocks(const std::string& object, Access other) {
  Evidence e = Scanned({1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78});
  Finding race;
  race.kind = FindingKind::kRace;
  race.space = MemorySpace::kGlobal;
  race.object = object;
  race.access = Access::kWrite;
  race.other_access = other;
  e.result.findings = {race};
  return e;
}

TEST(ScanFactsTest, TwoStoresAreNoReadThatComesTooEarly) {
  EXPECT_EQ(IdsOf({WithRaceOfBlocks("argument 1", Access::kRead)}), Names{"scan_blocks_race"});
  EXPECT_EQ(IdsOf({WithRaceOfBlocks("argument 1", Access::kWrite)}), Names{"scan_sums_twice"});
  EXPECT_EQ(IdsOf({WithRaceOfBlocks("output", Access::kRead)}), Names{"scan_output_race"});
  EXPECT_EQ(IdsOf({WithRaceOfBlocks("output", Access::kWrite)}), Names{"scan_output_twice"});
  EXPECT_EQ(
      IdsOf({WithRaceOfBlocks("output", Access::kWrite), WithRaceOfBlocks("argument 1", Access::kWrite)}),
      Names{"scan_output_twice"})
      << "the inner call of scan has the same tiles";
}

/// What the failing test says of such a race.
TEST(ScanFactsTest, ARacePastAFlagIsNoMatterOfOrder) {
  TestResult result;
  LaunchRecord launch;
  launch.kernel = "scan";
  result.launches = {launch};
  Finding race;
  race.kind = FindingKind::kRace;
  race.space = MemorySpace::kGlobal;
  race.access = Access::kRead;
  race.other_access = Access::kWrite;
  race.kernel = "scan";
  race.object = "prefixes";
  race.where.line = 62;
  race.message = say::race_of_blocks(say::reads(), "prefixes", say::writes());
  result.findings = {race};
  result.reason = say::in_line(62, race.message);
  const auto said = [](TestResult named) {
    NameRacesPastFlags(named);
    return English(named.reason);
  };
  EXPECT_EQ(said(result),
            "line 62: reads an element of prefixes that another block writes: the blocks of a launch run in "
            "any order");
  result.launches.front().has_block_order = true;
  EXPECT_EQ(said(result),
            "line 62: reads an element of prefixes that another block writes: without a __threadfence(), a "
            "flag or counter does not order the two");
}

/// A fence is missing only where there is a flag.
TEST(ScanFactsTest, ARaceBehindAFlagLacksAFence) {
  Evidence e = WithRaceOfBlocks("argument 1", Access::kRead);
  e.result.findings.front().kernel = e.result.launches.front().kernel = "scan_kernel";
  EXPECT_EQ(IdsOf({e}), Names{"scan_blocks_race"});
  e.result.launches.front().has_block_order = true;
  EXPECT_EQ(IdsOf({e}), Names{"scan_flag_race"});
  e.result.findings.front().kernel = "another_kernel";
  EXPECT_EQ(IdsOf({e}), Names{"scan_blocks_race"});
}

/// What a call that was stopped leaves of output says nothing.
TEST(ScanFactsTest, OnlyCallsThatReturnHaveValues) {
  Evidence e = Scanned({1, 3, 6, 10, 5, 11, 18, 26, 9, 19, 30, 42});
  EXPECT_EQ(IdsOf({e}), Names{"scan_tiles_alone"});
  e.result.verdict = Verdict::kTimeLimit;
  EXPECT_EQ(IdsOf({e}), Names{});
}

/// 1,024 blocks of 8 warps, of which each passes 19 barriers; and 256 with more elements, which pass 41.
TEST(ScanFactsTest, BarriersAreCountedPerBlock) {
  Evidence e = Scanned({});
  e.input.assign(std::size_t{1} << 19, 0);
  e.output = e.input;
  e.result.verdict = Verdict::kWrongResult;
  e.result.wrong_count = 0;
  LaunchRecord& launch = e.result.launches.front();
  launch.grid = {1 << 10, 1, 1};
  launch.block = {256, 1, 1};
  launch.totals.barriers = std::uint64_t{19 * 8} << 10;
  const std::vector<Fact> facts = FactsOf(std::vector{e});
  ASSERT_EQ(facts.size(), 1u);
  EXPECT_EQ(English(facts[0].message),
            "SeveralTiles: each thread has only 2 elements, and its warp waits at 19 barriers");
  launch.grid = {1 << 8, 1, 1};
  launch.totals.barriers = std::uint64_t{41 * 8} << 8;
  const std::vector<Fact> enough = FactsOf(std::vector{e});
  ASSERT_EQ(enough.size(), 1u);
  EXPECT_EQ(English(enough[0].message), "SeveralTiles: a block waits at 41 barriers for 2048 elements");
}

LaunchRecord OfBlocks(std::uint32_t blocks, std::uint64_t atomics, std::uint64_t ints_loaded) {
  LaunchRecord launch;
  launch.completed = true;
  launch.grid = {blocks, 1, 1};
  launch.totals.global_atomic_requests = atomics;
  launch.totals.global_load_bytes = ints_loaded * sizeof(int);
  return launch;
}

/// All tests that need the order of the blocks have one cause, however each of them shows it.
TEST(ScanFactsTest, TheOrderOfBlocksExplainsEveryTestThatNeedsIt) {
  Evidence many = Scanned({1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66, 78}), few = many, right = many;
  many.result.launches = {OfBlocks(5, 5, 12)};
  many.result.verdict = few.result.verdict = Verdict::kWrongResult;
  few.test = "NextTileHasOneElement";
  few.result.reason = say::stored_by_order("output");
  right.test = "OneElement";
  right.result.verdict = Verdict::kPassed;
  const std::vector<Fact> facts = FactsOf(std::vector{right, few, many});
  ASSERT_EQ(facts.size(), 1u);
  EXPECT_EQ(facts[0].id, "scan_needs_order");
  EXPECT_EQ(facts[0].tests, (Names{"NextTileHasOneElement", "SeveralTiles"}));
}

TEST(ScanFactsTest, BlocksThatCannotWaitNeedOrder) {
  TestResult result;
  result.launches = {OfBlocks(5, 5, 100)};
  EXPECT_TRUE(NeedsOrder(result, 100)) << "a running total";
  result.launches = {OfBlocks(5, 5, 104)};
  EXPECT_FALSE(NeedsOrder(result, 100)) << "tiles are drawn, and flags are loaded";
  result.launches = {OfBlocks(5, 9, 100)};
  EXPECT_FALSE(NeedsOrder(result, 100)) << "sums are published and looked at by atomic operations";
  result.launches = {OfBlocks(5, 5, 100), OfBlocks(5, 0, 105)};
  EXPECT_FALSE(NeedsOrder(result, 100)) << "a second kernel";
}

}  // namespace
}  // namespace warplings::scan
