// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/evidence.h"

#include <gtest/gtest.h>

#include <utility>

#include "grader/messages/calls.h"
#include "grader/messages/findings.h"
#include "grader/messages/joining.h"

namespace warplings {
namespace {

std::vector<std::string> Ids(const std::vector<Fact>& found) {
  std::vector<std::string> ids;
  for (const Fact& each : found) ids.push_back(each.id);
  return ids;
}

using Names = std::vector<std::string>;

TEST(EvidenceTest, AFactIsStatedOnceUnderTheIdOfItsRow) {
  const Message copied = say::race_with_copy("reads", "tile"), other = say::race_with_copy("writes", "tile");
  std::vector<Fact> found;
  AddFact(found, say::of_test({"A"}, copied));
  AddFact(found, say::of_shown_test({"B"}, say::of_test({"A"}, other)));
  AddFact(found, "model", say::both(copied, other));
  ASSERT_EQ(Ids(found), (Names{"race_with_copy", "model"}));
  EXPECT_EQ(found[0].message, say::of_test({"A"}, copied)) << "the first one stays";
  EXPECT_TRUE(found[0].tests.empty());
}

TEST(EvidenceTest, AFactListsItsTestsAndShowsOneFinding) {
  std::vector<Fact> found;
  AddFactOf(found, "refused", "words", "A");
  AddFactOf(found, "refused", "words", "B");
  ASSERT_EQ(Ids(found), Names{"refused"});
  EXPECT_EQ(found[0].tests, (Names{"A", "B"}));
  TestResult test;
  test.findings.resize(3);
  test.findings[1].kind = test.findings[2].kind = FindingKind::kRace;
  test.findings[1].count = 7;
  ShowFinding(found[0], test, FindingKind::kLeak);
  EXPECT_FALSE(found[0].finding);
  ShowFinding(found[0], test, FindingKind::kRace);
  ShowFinding(found[0], test, FindingKind::kOutOfBounds);
  ASSERT_TRUE(found[0].finding);
  EXPECT_EQ(found[0].finding->count, 7u) << "the first one stays";
}

TEST(EvidenceTest, OnlyALaunchThatEndedIsComplete) {
  TestResult test;
  EXPECT_FALSE(Completed(test));  // nothing was launched
  test.launches.resize(2);
  for (LaunchRecord& launch : test.launches) launch.completed = true;
  EXPECT_TRUE(Completed(test));
  test.launches[1].completed = false;
  EXPECT_FALSE(Completed(test));
}

TEST(EvidenceTest, WhatCrashedOrWasStoppedHasNotReturned) {
  const auto returned = [](Verdict verdict) {
    TestResult test;
    test.verdict = verdict;
    return Returned(test);
  };
  for (const Verdict each : {Verdict::kPassed, Verdict::kWrongResult, Verdict::kFinding,
                             Verdict::kLaunchFailed, Verdict::kNotSynchronised})
    EXPECT_TRUE(returned(each));
  for (const Verdict each : {Verdict::kTimeLimit, Verdict::kMemoryLimit, Verdict::kExited, Verdict::kCrashed})
    EXPECT_FALSE(returned(each));
}

TEST(EvidenceTest, AccessesOutsideAreCountedByArrayAndDirection) {
  TestResult test;
  for (const char* array : {"M", "N"}) {
    Finding finding;
    finding.kind = FindingKind::kOutOfBounds;
    finding.object = array;
    finding.access = Access::kRead;
    finding.count = 3;
    test.findings.insert(test.findings.end(), 2, finding);
  }
  EXPECT_EQ(CountOutside(test, "M", Access::kRead), 6u);
  EXPECT_EQ(CountOutside(test, "M", Access::kWrite), 0u);
  EXPECT_EQ(CountOutside(test, "P", Access::kRead), 0u);
}

TestResult RaceOf(int store, int read, const std::vector<std::pair<int, std::uint64_t>>& barriers) {
  TestResult test;
  Finding finding;
  finding.kind = FindingKind::kRace;
  finding.space = MemorySpace::kShared;
  finding.access = Access::kWrite;
  finding.where = {"a.cu", store};
  finding.other = SourceLine{"a.cu", read};
  test.findings = {finding};
  std::swap(finding.where, *finding.other);
  finding.access = Access::kRead;
  test.findings.push_back(finding);
  test.launches.resize(1);
  for (const auto& [line, arrivals] : barriers) {
    LineCounts counted;
    counted.where = {"a.cu", line};
    counted.counts.barriers = arrivals;
    test.launches[0].lines.push_back(counted);
  }
  return test;
}

TEST(EvidenceTest, BarriersAreLookedForBetweenStoreAndRead) {
  EXPECT_EQ(BarrierOfRaces(RaceOf(20, 30, {})), RaceBarrier::kNone);
  EXPECT_EQ(BarrierOfRaces(RaceOf(20, 30, {{32, 8}})), RaceBarrier::kNone);
  EXPECT_EQ(BarrierOfRaces(RaceOf(20, 30, {{25, 8}})), RaceBarrier::kAlways);
  EXPECT_EQ(BarrierOfRaces(RaceOf(20, 30, {{25, 8}, {32, 4}})), RaceBarrier::kAlways);
  EXPECT_EQ(BarrierOfRaces(RaceOf(20, 30, {{25, 2}, {32, 8}})), RaceBarrier::kSometimes);
  EXPECT_EQ(BarrierOfRaces(RaceOf(30, 20, {{25, 8}})), RaceBarrier::kStoreComesLast);
  EXPECT_EQ(BarrierOfRaces(RaceOf(30, 30, {{25, 8}})), RaceBarrier::kUnknown);
  EXPECT_EQ(BarrierOfRaces({}), RaceBarrier::kUnknown);
  TestResult copy = RaceOf(20, 30, {});
  EXPECT_TRUE(ReadsTooEarlyOrStoresOver(copy));
  for (Finding& finding : copy.findings) finding.message = say::race_with_copy(say::reads(), "tiles");
  EXPECT_FALSE(ReadsTooEarlyOrStoresOver(copy));
  EXPECT_EQ(BarrierOfRaces(copy), RaceBarrier::kUnknown);
  TestResult two = RaceOf(20, 30, {{25, 8}});
  const TestResult other = RaceOf(26, 30, {});
  two.findings.insert(two.findings.end(), other.findings.begin(), other.findings.end());
  EXPECT_EQ(BarrierOfRaces(two), RaceBarrier::kUnknown) << "one of the two tiles is awaited";
}

TEST(EvidenceTest, ARaceAcrossABarrierThatRunsAgainIsWithTheNextPass) {
  const auto with_next_pass = [](TestResult test) {
    test.launches.front().grid = {1, 1, 1};
    test.launches.front().block = {128, 1, 1};
    return !RaceOfPasses(test.findings.front(), test.launches, test.findings).empty();
  };
  EXPECT_TRUE(with_next_pass(RaceOf(20, 30, {{25, 8}})));
  EXPECT_FALSE(with_next_pass(RaceOf(20, 30, {{25, 4}}))) << "each of the 4 warps comes once";
  EXPECT_FALSE(with_next_pass(RaceOf(20, 30, {{32, 8}}))) << "no barrier in between";
  EXPECT_FALSE(with_next_pass(RaceOf(30, 20, {{32, 8}})));
  TestResult test = RaceOf(20, 30, {{25, 8}});
  test.launches.front().grid = test.launches.front().block = {1, 1, 1};
  Fact fact{"a_race", say::of_test(std::string("T"), "a race"), {}, test.findings.front()};
  NameRaceOfPasses(fact, test);
  EXPECT_EQ(fact.id, "a_race");
  EXPECT_EQ(English(fact.message),
            "T: Race: a fast thread starts the next pass of a loop, where line 20 overwrites what slower "
            "threads still have to read in line 30.");
  // Nobody had stored it: it comes in a later pass.
  Finding unwritten;
  unwritten.kind = FindingKind::kUninitialised;
  unwritten.space = MemorySpace::kShared;
  unwritten.where = {"a.cu", 30};
  test.findings.push_back(unwritten);
  EXPECT_EQ(RaceOfPasses(test.findings.front(), test.launches, test.findings),
            say::race_with_later_pass(30, 20, say::some_loop()));
  const TestResult turned = RaceOf(30, 20, {{25, 128}});
  EXPECT_EQ(RaceOfPasses(turned.findings.front(), turned.launches, turned.findings),
            say::race_with_earlier_pass(20, 30, say::some_loop()));
}

TEST(EvidenceTest, OneDecimalIsRounded) {
  EXPECT_EQ(OneDecimal(12.8), "12.8");
  EXPECT_EQ(OneDecimal(0.25), "0.2");
  EXPECT_EQ(OneDecimal(99.96), "100.0");
}

TEST(EvidenceTest, EachStreamCountsOnce) {
  TestResult test;
  EXPECT_EQ(StreamsOf(test), 0u);
  test.launches.resize(3);
  EXPECT_EQ(StreamsOf(test), 1u) << "the default stream";
  test.launches[0].stream = test.launches[2].stream = 7;
  EXPECT_EQ(StreamsOf(test), 2u);
}

TEST(EvidenceTest, ConflictsAreCountedPerRequestOfLoadsAndStores) {
  Counts counts;
  EXPECT_EQ(ConflictsPerRequest(counts), 0);
  counts.shared_load_requests = 3;
  counts.shared_store_requests = 1;
  counts.shared_load_conflicts = 9;
  counts.shared_store_conflicts = 1;
  EXPECT_EQ(ConflictsPerRequest(counts), 2.5);
}

TEST(Races, OfTwoStoresAreNoMissingBarrier) {
  TestResult test;
  Finding& race = test.findings.emplace_back();
  race.kind = FindingKind::kRace;
  race.space = MemorySpace::kShared;
  race.access = Access::kWrite;
  race.other_access = Access::kWrite;
  EXPECT_TRUE(BothStore(race));
  EXPECT_FALSE(ReadsTooEarlyOrStoresOver(test));
  race.other_access = Access::kRead;
  EXPECT_TRUE(ReadsTooEarlyOrStoresOver(test));
  race.space = MemorySpace::kGlobal;
  EXPECT_FALSE(ReadsTooEarlyOrStoresOver(test));
  race.other_access = Access::kWrite;
  EXPECT_TRUE(BothStore(race));
  race.other_access = Access::kRead;
  EXPECT_FALSE(BothStore(race));
}

Finding RaceWith(Access access, Access other) {
  Finding finding;
  finding.kind = FindingKind::kRace;
  finding.space = MemorySpace::kShared;
  finding.access = access;
  finding.other_access = other;
  return finding;
}

TEST(Races, TwoStoresAreToldFromAReader) {
  TestResult test;
  EXPECT_FALSE(ReadsTooEarlyOrStoresOver(test));
  const Finding stores = RaceWith(Access::kWrite, Access::kWrite);
  test.findings = {stores};
  EXPECT_TRUE(BothStore(stores));
  EXPECT_FALSE(ReadsTooEarlyOrStoresOver(test));
  for (const Finding& each :
       {RaceWith(Access::kRead, Access::kWrite), RaceWith(Access::kWrite, Access::kRead)}) {
    EXPECT_FALSE(BothStore(each));
    test.findings = {stores, each};
    EXPECT_TRUE(ReadsTooEarlyOrStoresOver(test));
  }
}

/// What is stored is read by an atomic operation, and what that stores is read by others.
TEST(EvidenceTest, AnAtomicOperationStoresForWhatReads) {
  const auto lines = [](Access access, Access other) {
    Finding race;
    race.kind = FindingKind::kRace;
    race.where.line = 1;
    race.other = SourceLine{"", 2};
    race.access = access;
    race.other_access = other;
    const RacingLines found = LinesOfRace(race);
    return std::pair(found.store, found.read);
  };
  EXPECT_EQ(lines(Access::kWrite, Access::kAtomic), std::pair(1, 2));
  EXPECT_EQ(lines(Access::kAtomic, Access::kWrite), std::pair(2, 1));
  EXPECT_EQ(lines(Access::kAtomic, Access::kRead), std::pair(1, 2));
  EXPECT_EQ(lines(Access::kRead, Access::kAtomic), std::pair(2, 1));
}

}  // namespace
}  // namespace warplings
