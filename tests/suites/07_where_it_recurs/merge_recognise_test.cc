// SPDX-License-Identifier: Apache-2.0
//
// What the recognisers of merge_tiles say of made-up evidence, where two mistakes look alike.

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "grader/messages/findings.h"
#include "grader/messages/judging.h"
#include "grader/suite/comparison.h"
#include "reference/merge.h"
#include "tests/suites/07_where_it_recurs/merge_evidence.h"

namespace warplings::merge {
namespace {

using Ints = std::vector<int>;
using Names = std::vector<std::string>;

Names IdsOf(const std::vector<Evidence>& all) {
  Names ids;
  for (const Fact& each : FactsOf(all)) ids.push_back(each.id);
  return ids;
}

/// Blocks of 2 threads have merged.
Evidence Merged(Ints a, Ints b, Ints output) {
  Evidence e;
  e.test = "LessThanAWarp";
  e.a = std::move(a);
  e.b = std::move(b);
  e.result.wrong_count = output == reference::Merge(e.a, e.b) ? 0 : 1;
  e.result.verdict = e.result.wrong_count == 0 ? Verdict::kPassed : Verdict::kWrongResult;
  e.output = std::move(output);
  LaunchRecord launch;
  launch.completed = true;
  launch.block = {2, 1, 1};
  e.result.launches = {launch};
  return e;
}

Evidence Merged(Ints output) {
  return Merged({1, 4, 5}, {2, 3, 6, 7}, std::move(output));
}

int Unwritten() {
  return static_cast<int>(Poison());
}

TEST(MergeFactsTest, RightValuesAreNoFact) {
  EXPECT_EQ(IdsOf({Merged({1, 2, 3, 4, 5, 6, 7})}), Names{});
}

TEST(MergeFactsTest, OneArrayAfterTheOther) {
  EXPECT_EQ(IdsOf({Merged({1, 4, 5, 2, 3, 6, 7})}), Names{"merge_concatenated"});
  EXPECT_EQ(IdsOf({Merged({2, 3, 6, 7, 1, 4, 5})}), Names{"merge_concatenated"});
}

TEST(MergeFactsTest, PiecesAreInOrderAlone) {
  EXPECT_EQ(IdsOf({Merged({1, 2, 4, 3, 5, 7, 6})}), Names{"merge_pieces"});
}

/// One place out of order makes no pieces.
TEST(MergeFactsTest, OneDescentIsNoPiece) {
  EXPECT_EQ(IdsOf({Merged({1, 2, 3, 6, 4, 5, 7})}), Names{});
}

TEST(MergeFactsTest, WhatIsInNeitherArray) {
  EXPECT_EQ(IdsOf({Merged({0, 1, 2, 3, 4, 5, 6})}), Names{"merge_foreign"});
}

/// 16,777,217 is the first int that no float holds.
TEST(MergeFactsTest, ElementsThatWereFloats) {
  const Evidence rounded = Merged({1, 16'777'217}, {2, 33'554'435}, {1, 2, 16'777'216, 33'554'436});
  EXPECT_EQ(IdsOf({rounded}), Names{"merge_rounded"});
  const Evidence also_wrong = Merged({1, 16'777'217}, {2, 33'554'435}, {1, 3, 16'777'216, 33'554'436});
  EXPECT_EQ(IdsOf({also_wrong}), Names{"merge_foreign"}) << "3 is no 2 that was rounded";
}

TEST(MergeFactsTest, WhatIsTakenTwice) {
  EXPECT_EQ(IdsOf({Merged({1, 2, 3, 3, 5, 6, 7})}), Names{"merge_repeated"});
}

/// Two threads have four elements each. The second begins with 5, and then takes what follows the 5.
TEST(MergeFactsTest, ElementsOfBFollowThoseOfA) {
  EXPECT_EQ(IdsOf({Merged({1, 2, 3, 4, 5, 2, 3})}), Names{"merge_end_of_a"});
}

TEST(MergeFactsTest, TheGreaterOneComesFirst) {
  EXPECT_EQ(IdsOf({Merged({5}, {-3}, {5, -3}), Merged({1, 2, 3, 3, 5, 6, 7})}), Names{"merge_reversed"});
}

/// One element each has no pieces.
TEST(MergeFactsTest, AReversedComparisonSaysMoreThanPieces) {
  EXPECT_EQ(IdsOf({Merged({5}, {-3}, {5, -3}), Merged({1, 2, 4, 3, 5, 7, 6})}), Names{"merge_reversed"});
}

/// Unsigned elements: a and b begin well with negative elements, and without these all is well.
TEST(MergeFactsTest, NegativeElementsComeLast) {
  const Evidence one_each = Merged({5}, {-3}, {5, -3}), positive = Merged({1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(IdsOf({one_each, positive, Merged({-9, 4}, {-8, 3}, {-9, 4, -8, 3})}),
            Names{"merge_negative_last"});
  EXPECT_EQ(IdsOf({one_each, positive, Merged({-9, 4}, {-8, 3}, {-8, 3, -9, 4})}), Names{"merge_reversed"})
      << "two negative elements are the wrong way round, too";
}

TEST(MergeFactsTest, AnArrayEndsOrATileIsMissing) {
  const int no = Unwritten();
  EXPECT_EQ(IdsOf({Merged({5}, {-3}, {-3, no}), Merged({1, 2, 3, 4, 5, no, no})}),
            Names{"merge_rest_unwritten"});
  EXPECT_EQ(IdsOf({Merged({1, 2, 3, 4, no, no, no})}), Names{"merge_last_unwritten"});
  EXPECT_EQ(IdsOf({Merged({1, no, 3, 4, 5, 6, 7})}), Names{"merge_some_unwritten"});
}

TEST(MergeFactsTest, EqualElementsCollide) {
  EXPECT_EQ(IdsOf({Merged({1, 2, 3, 4, 5, 6, 7}), Merged({1, 3}, {3, 4}, {1, 3, Unwritten(), 4})}),
            Names{"merge_collisions"});
}

TEST(MergeFactsTest, OnlyTheLeastAndTheGreatestAreWrong) {
  constexpr int kLeast = std::numeric_limits<int>::min(), kMost = std::numeric_limits<int>::max();
  EXPECT_EQ(IdsOf({Merged({1, 2, 3, 4, 5, 6, 7}), Merged({kLeast, 5}, {3, kMost}, {3, kMost, 5, kLeast})}),
            Names{"merge_only_extreme"});
}

/// A mark past the end of a part: as large as an element, or less than one.
TEST(MergeFactsTest, AMarkIsTakenForAnElement) {
  constexpr int kLeast = std::numeric_limits<int>::min(), kMost = std::numeric_limits<int>::max();
  const Evidence right = Merged({1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(IdsOf({right, Merged({kLeast, 5}, {3, kMost, kMost}, {kLeast, 3, 5, kMost, 3})}),
            Names{"merge_only_greatest"});
  const Evidence marked = Merged({kLeast, 5}, {3, kMost, kMost}, {kLeast, 3, 5, 1'000'000, Unwritten()});
  const std::vector<Evidence> all{right, marked};
  EXPECT_EQ(IdsOf(all), Names{"merge_mark_stored"});
  EXPECT_EQ(English(FactsOf(all).front().message),
            "LessThanAWarp: 1000000, which is neither in a nor in b, is stored in place of larger elements");
}

TEST(MergeFactsTest, NothingIsLaunchedIfOneArrayIsEmpty) {
  Evidence e = Merged({}, {1, 2}, {Unwritten(), Unwritten()});
  EXPECT_TRUE(StepWithoutLaunch(e).empty()) << "a kernel was launched";
  e.result.launches.clear();
  EXPECT_EQ(English(StepWithoutLaunch(e)),
            "If a is empty, your code launches no kernel, so nothing is stored in output. What should output "
            "hold when only b has elements?");
  std::swap(e.a, e.b);
  EXPECT_EQ(StepWithoutLaunch(e).arguments().front().text, "b");
  e.a = e.b = {1};
  EXPECT_TRUE(StepWithoutLaunch(e).empty());
}

TEST(MergeFactsTest, OneLengthForBoth) {
  EXPECT_EQ(IdsOf({Merged({1, 3}, {2, 4}, {1, 2, 3, 4}), Merged({1, 3}, {2}, {1, 2, 2}),
                   Merged({1}, {2, 3, 4}, {1, 2, 2, 4})}),
            Names{"merge_only_equal_lengths"});
}

Evidence WithRace(int stored, int read) {
  Evidence e = Merged({1, 2, 3, 4, 5, 6, 7});
  Finding race;
  race.kind = FindingKind::kRace;
  race.space = MemorySpace::kShared;
  race.access = Access::kRead;
  race.other_access = Access::kWrite;
  race.where.line = read;
  race.other = SourceLine{"", stored};
  e.result.findings = {race};
  return e;
}

TEST(MergeFactsTest, AStoreBelowTheReadOverwritesTheTile) {
  EXPECT_EQ(IdsOf({WithRace(7, 9)}), Names{"merge_read_early"});
  EXPECT_EQ(IdsOf({WithRace(9, 7)}), Names{"merge_stored_over"});
}

Evidence WithRead(std::int64_t offset) {
  Evidence e = Merged({1, 2, 3, 4, 5, 6, 7});
  Finding read;
  read.kind = FindingKind::kOutOfBounds;
  read.space = MemorySpace::kGlobal;
  read.access = Access::kRead;
  read.object = "a";
  read.object_bytes = 12;
  read.offset_bytes = offset;
  e.result.findings = {read};
  return e;
}

Finding OutOfBounds(MemorySpace space, Access access, const std::string& object, int line) {
  Finding finding;
  finding.kind = FindingKind::kOutOfBounds;
  finding.space = space;
  finding.access = access;
  finding.object = object;
  finding.object_bytes = finding.offset_bytes = 8;
  finding.where.line = line;
  return finding;
}

Evidence WithFindings(std::vector<Finding> findings) {
  Evidence e = Merged({1, 2, 3, 4, 5, 6, 7});
  e.result.findings = std::move(findings);
  return e;
}

/// What follows an access outside an array may be its effect.
TEST(MergeFactsTest, TheFirstErrorIsTheCause) {
  Finding in_borders = OutOfBounds(MemorySpace::kGlobal, Access::kWrite, "", 7);
  in_borders.object = say::argument(5);
  const Finding in_b = OutOfBounds(MemorySpace::kGlobal, Access::kRead, "b", 9);
  const Finding in_output = OutOfBounds(MemorySpace::kGlobal, Access::kWrite, "output", 12);
  const Finding in_tile = OutOfBounds(MemorySpace::kShared, Access::kWrite, "shared array `tile`", 9);
  EXPECT_EQ(IdsOf({WithFindings({in_borders, in_b})}), Names{"merge_outside_borders"});
  EXPECT_EQ(IdsOf({WithFindings({in_b, in_borders})}), Names{"merge_reads_behind"});
  EXPECT_EQ(IdsOf({WithFindings({in_tile, in_b, in_output})}), Names{"merge_stores_outside_tile"});
  EXPECT_EQ(IdsOf({WithFindings({in_b, in_tile, in_output})}), Names{"merge_stores_behind"});
  Finding unwritten = in_borders;
  unwritten.kind = FindingKind::kUninitialised;
  unwritten.access = Access::kRead;
  EXPECT_EQ(IdsOf({WithFindings({unwritten, in_b})}), Names{"merge_border_unwritten"});
}

/// A border that is read too early is garbage, and so is what is stored with it.
TEST(MergeFactsTest, ARaceOfBordersComesBeforeWhatItDoes) {
  Finding race;
  race.kind = FindingKind::kRace;
  race.space = MemorySpace::kShared;
  race.access = Access::kRead;
  race.other_access = Access::kWrite;
  race.where.line = 8;
  race.other = SourceLine{"", 7};
  EXPECT_EQ(IdsOf({WithFindings({OutOfBounds(MemorySpace::kShared, Access::kWrite, "shared array `tile`", 9),
                                 OutOfBounds(MemorySpace::kGlobal, Access::kRead, "b", 9), race})}),
            Names{"merge_read_early"});
  race.other = SourceLine{"", 12};
  race.where.line = 13;
  EXPECT_EQ(IdsOf({WithFindings(
                {OutOfBounds(MemorySpace::kShared, Access::kWrite, "shared array `tile`", 9), race})}),
            Names{"merge_stores_outside_tile"})
      << "a race further down, which may be of what was stored over";
}

/// Three causes, which the sizes of the array in several calls tell apart.
TEST(MergeFactsTest, WhyAnArrayIsTooSmall) {
  Finding outside = OutOfBounds(MemorySpace::kGlobal, Access::kWrite, "", 7);
  outside.object = say::argument(5);
  outside.object_bytes = 8;
  const Evidence one = WithFindings({outside});
  EXPECT_EQ(IdsOf({one}), Names{"merge_outside_borders"});
  Evidence longer = one;
  longer.b.push_back(8);
  longer.output = reference::Merge(longer.a, longer.b);
  EXPECT_EQ(IdsOf({one, longer}), Names{"merge_outside_kept"});
  const std::vector<Evidence> both = {one, longer};
  EXPECT_TRUE(English(FactsOf(both).front().message)
                  .ends_with("argument 5 keeps its 8 bytes, however many tiles a call has"));
  longer.result.findings.front().object_bytes = 12;
  EXPECT_EQ(IdsOf({one, longer}), Names{"merge_outside_borders"}) << "it grows, but not enough";
  outside.object = "splits";
  EXPECT_EQ(IdsOf({WithFindings({outside})}), Names{"merge_outside_declared"});
}

/// A line that also stores to shared memory.
TEST(MergeFactsTest, ATileLoadIsNoSearch) {
  Evidence e = WithRead(20);
  LineCounts line;
  line.where = e.result.findings.front().where;
  e.result.launches.front().lines = {line};
  EXPECT_EQ(IdsOf({e}), Names{"merge_reads_far"});
  e.result.launches.front().lines.front().counts.shared_store_requests = 1;
  EXPECT_EQ(IdsOf({e}), Names{"merge_loads_far"});
}

TEST(MergeFactsTest, ASearchReadsAnywhere) {
  EXPECT_EQ(IdsOf({WithRead(12)}), Names{"merge_reads_behind"});
  EXPECT_EQ(IdsOf({WithRead(20)}), Names{"merge_reads_far"});
}

/// An array of two ints for one tile: its second one is the tile's end.
TEST(MergeFactsTest, TheEndOfTheLastTileIsNamed) {
  Finding unset;
  unset.kind = FindingKind::kUninitialised;
  unset.space = MemorySpace::kGlobal;
  unset.object = "splits";
  unset.object_bytes = 8;
  unset.offset_bytes = 4;
  Evidence e = WithFindings({unset});
  EXPECT_EQ(IdsOf({e}), Names{"merge_end_unwritten"});
  e.result.findings[0].offset_bytes = 0;
  EXPECT_EQ(IdsOf({e}), Names{"merge_border_unwritten"});
  e.result.findings[0].offset_bytes = 4;
  e.result.launches[0].grid = {2, 1, 1};
  EXPECT_EQ(IdsOf({e}), Names{"merge_border_unwritten"}) << "two tiles";
}

/// Two equal elements are stored in one place of the tile, and nobody stores the other.
TEST(MergeFactsTest, EqualElementsMayCollideInTheTile) {
  Finding unset;
  unset.kind = FindingKind::kUninitialised;
  unset.space = MemorySpace::kShared;
  Evidence equal = Merged({1, 4, 5}, {1, 6, 7}, {1, 0, 4, 5, 6, 7});
  equal.result.findings = {unset};
  const Evidence differ = Merged({1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(IdsOf({equal, differ}), Names{"merge_tile_collisions"});
  EXPECT_EQ(IdsOf({equal}), Names{"merge_tile_read"}) << "no test without equal elements";
  Evidence also = differ;
  also.result.findings = {unset};
  EXPECT_EQ(IdsOf({equal, differ, also}), Names{"merge_tile_read"});
  also.result.reason = say::in_call_with_other_elements("b", say::never_written());
  EXPECT_EQ(IdsOf({equal, differ, also}), Names{"merge_tile_collisions"}) << "in a call with other elements";
}

/// A border in shared memory that nobody stored: what is read outside comes of it.
TEST(MergeFactsTest, AnUnwrittenBorderComesBeforeWhatItDoes) {
  Finding unset;
  unset.kind = FindingKind::kUninitialised;
  unset.space = MemorySpace::kShared;
  const Finding in_b = OutOfBounds(MemorySpace::kGlobal, Access::kRead, "b", 9);
  const Finding in_output = OutOfBounds(MemorySpace::kGlobal, Access::kWrite, "output", 12);
  EXPECT_EQ(IdsOf({WithFindings({unset, in_b, in_output})}), Names{"merge_tile_read"});
  EXPECT_EQ(IdsOf({WithFindings({in_b, unset})}), Names{"merge_reads_behind"});
}

/// With one element each there are no neighbouring pieces.
TEST(MergeFactsTest, OneOfTwoElementsIsStoredTwice) {
  const std::vector<Evidence> all{Merged({5}, {-3}, {5, 5}), Merged({1, 2, 3, 3, 5, 6, 7})};
  EXPECT_EQ(IdsOf(all), Names{"merge_one_twice"});
  EXPECT_EQ(English(FactsOf(all).front().message),
            "LessThanAWarp: output has the 5 of a twice, and -3 is missing");
}

/// Two blocks of 2 threads with 2 elements each. The second one's part of b begins at b[2].
TEST(MergeFactsTest, APartThatBeginsElsewhere) {
  const auto loading = [](std::int64_t element) {
    Evidence e = Merged({1, 3, 5, 7}, {2, 4, 6, 8}, {1, 2, 3, 4, 5, 6, 7, 8});
    Finding read = OutOfBounds(MemorySpace::kGlobal, Access::kRead, "b", 9);
    read.object_bytes = 16;
    read.offset_bytes = element * 4;
    read.block = {1, 0, 0};
    e.result.findings = {read};
    LineCounts line;
    line.where = read.where;
    line.counts.shared_store_requests = 1;
    e.result.launches.front().grid = {2, 1, 1};
    e.result.launches.front().lines = {line};
    return e;
  };
  EXPECT_EQ(English(FactsOf(std::vector{loading(6)}).front().message),
            "LessThanAWarp: out of bounds: block 1 loads b[6], but its part of b is 2 elements from b[2] on");
  EXPECT_EQ(IdsOf({loading(5)}), Names{"merge_loads_far"}) << "a whole tile's room from b[2] on";
  Evidence searches = loading(6);
  searches.result.findings.push_back(OutOfBounds(MemorySpace::kGlobal, Access::kRead, "b", 7));
  EXPECT_EQ(IdsOf({searches}), Names{"merge_loads_far"}) << "a search in another line finds it";
}

/// As many loads as there are elements: the loop goes no further than it should.
TEST(MergeFactsTest, APartThatIsAssumed) {
  Evidence e = Merged({1, 3, 5, 7}, {2, 4, 6, 8}, {1, 2, 3, 4, 5, 6, 7, 8});
  Finding read = OutOfBounds(MemorySpace::kGlobal, Access::kRead, "b", 9);
  read.object_bytes = 16;
  read.offset_bytes = 20;
  read.block = {1, 0, 0};
  e.result.findings = {read};
  LineCounts line;
  line.where = read.where;
  line.counts.shared_store_requests = 1;
  line.counts.global_load_bytes = 7 * sizeof(int);  // and the one outside
  e.result.launches.front().grid = {2, 1, 1};
  e.result.launches.front().lines = {line};
  EXPECT_EQ(IdsOf({e}), Names{"merge_part_assumed"});
  EXPECT_EQ(English(FactsOf(std::vector{e}).front().message),
            "LessThanAWarp: out of bounds: block 1 loads b[5], but its part of b is 2 elements from b[2] on");
  e.result.launches.front().lines.front().counts.global_load_bytes += sizeof(int);
  EXPECT_EQ(IdsOf({e}), Names{"merge_loads_far"});
}

/// Two blocks of 2 threads with 2 elements each.
TEST(MergeFactsTest, AnArrayWithRoomForATileIsNotTooSmall) {
  const auto storing = [](std::int64_t room, std::uint64_t loaded) {
    Evidence e = Merged({1, 3, 5, 7}, {2, 4, 6, 8}, {1, 2, 3, 4, 5, 6, 7, 8});
    Finding store = OutOfBounds(MemorySpace::kShared, Access::kWrite, "shared array `in`", 9);
    store.object_bytes = room * 4;
    store.offset_bytes = room * 4;
    store.block = {1, 0, 0};
    e.result.findings = {store};
    LineCounts line;
    line.where = store.where;
    line.counts.shared_store_requests = 1;
    line.counts.global_load_bytes = loaded;
    e.result.launches.front().grid = {2, 1, 1};
    e.result.launches.front().lines = {line};
    return e;
  };
  EXPECT_EQ(English(FactsOf(std::vector{storing(4, 16)}).front().message),
            "LessThanAWarp: out of bounds: block 1 stores element 4 of a shared array of 4 elements, but its "
            "tile has 2 elements of a and 2 of b");
  EXPECT_EQ(IdsOf({storing(3, 16)}), Names{"merge_stores_outside_tile"});
  EXPECT_EQ(IdsOf({storing(4, 0)}), Names{"merge_stores_outside_tile"}) << "stores nothing that it loads";
}

/// One block of 2 threads with 4 elements each, for 7 elements.
TEST(MergeFactsTest, AReadPastTheLastElementOfATile) {
  const auto reading = [](std::int64_t element, std::int64_t room) {
    Evidence e = Merged({1, 2, 3, 4, 5, 6, 7});
    Finding unset;
    unset.kind = FindingKind::kUninitialised;
    unset.space = MemorySpace::kShared;
    unset.object_bytes = room * 4;
    unset.offset_bytes = element * 4;
    e.result.findings = {unset};
    e.result.launches.front().grid = {1, 1, 1};
    return e;
  };
  EXPECT_EQ(English(FactsOf(std::vector{reading(7, 8)}).front().message),
            "LessThanAWarp: block 0 has a tile of 7 elements, but reads element 7 of a shared array");
  EXPECT_EQ(IdsOf({reading(6, 8)}), Names{"merge_tile_read"});
  EXPECT_EQ(IdsOf({reading(7, 16)}), Names{"merge_tile_read"}) << "b may have its part there";
}

TEST(MergeFactsTest, EachThreadStoresOneElement) {
  Evidence e = Merged({1, 2, 3, 4, 5, 6, 7});
  Finding unset;
  unset.kind = FindingKind::kUninitialised;
  unset.space = MemorySpace::kShared;
  unset.object_bytes = 1024;
  unset.offset_bytes = 32 * 4;
  e.result.findings = {unset};
  e.result.launches.front().block = {32, 1, 1};
  EXPECT_EQ(IdsOf({e}), Names{"merge_stored_once"});
  e.result.findings.front().offset_bytes = 31 * 4;
  EXPECT_EQ(IdsOf({e}), Names{"merge_tile_read"});
}

}  // namespace
}  // namespace warplings::merge
