// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/first_advice.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace warplings {
namespace {

Finding AFinding(FindingKind kind, const std::string& object = "") {
  Finding finding;
  finding.kind = kind;
  finding.object = object;
  finding.access = Access::kRead;
  return finding;
}

TestResult ATest(const std::string& name, Verdict verdict, std::uint64_t wrong = 0,
                 std::vector<Finding> findings = {}) {
  TestResult test;
  test.name = "Suite." + name;
  test.title = "title of " + name;
  test.verdict = verdict;
  test.wrong_count = wrong;
  test.findings = std::move(findings);
  test.next_step = "advice of " + name;
  return test;
}

TestResult Passed(const std::string& name) {
  return ATest(name, Verdict::kPassed);
}
TestResult Wrong(const std::string& name) {
  return ATest(name, Verdict::kWrongResult, 3);
}
TestResult Refused(const std::string& name) {
  return ATest(name, Verdict::kLaunchFailed, 0, {AFinding(FindingKind::kInvalidLaunch)});
}
TestResult Outside(const std::string& name, const std::string& object, std::uint64_t wrong = 0) {
  return ATest(name, Verdict::kFinding, wrong, {AFinding(FindingKind::kOutOfBounds, object)});
}
TestResult Racing(const std::string& name) {
  Finding race = AFinding(FindingKind::kRace);
  race.space = MemorySpace::kShared;
  return ATest(name, Verdict::kFinding, 5, {race});
}
TestResult Dear(const std::string& name, const std::string& reason) {
  TestResult test = ATest(name, Verdict::kWrongResult);
  test.reason = reason;
  return test;
}

Misconception Cause(const std::string& id, const std::string& evidence, std::vector<std::string> tests = {}) {
  return {id, "Title of " + id, "Message", evidence, std::move(tests)};
}

ExerciseResult Result(std::vector<TestResult> tests, std::vector<Misconception> causes = {}) {
  ExerciseResult result;
  result.tests = std::move(tests);
  result.misconceptions = std::move(causes);
  FindTestsOfCauses(result);
  PutFirstAdviceFirst(result);
  return result;
}

/// "rows 2, empty 1".
std::string Order(const ExerciseResult& result) {
  std::string text;
  for (const Misconception& each : result.misconceptions)
    text += (text.empty() ? "" : ", ") + each.id + " " + std::to_string(each.tests.value().size());
  return text;
}

using Names = std::vector<std::string>;

/// The empty grid fails first, and the length of rows fails most.
TEST(FirstAdvice, TheCauseOfMostFailingTestsComesFirst) {
  const ExerciseResult result =
      Result({Passed("One"), Refused("Empty"), Wrong("Wide"), Wrong("Tall"), Outside("Any", "M", 4)},
             {Cause("empty_grid", "Empty: a launch was refused"), Cause("rows", "Wide: rows of k elements")});
  EXPECT_EQ(Order(result), "rows 3, empty_grid 1");
  EXPECT_EQ(result.misconceptions[0].tests, (Names{"Suite.Wide", "Suite.Tall", "Suite.Any"}));
  EXPECT_EQ(result.misconceptions[1].tests, Names{"Suite.Empty"});
  EXPECT_EQ(result.next_step, "") << "the name says it";
}

TEST(FirstAdvice, OfEqualsTheEarliestInTheChainComesFirst) {
  const ExerciseResult result =
      Result({Dear("Dear", "9 sectors"), Wrong("Wide"), Racing("Race"), Outside("Edge", "M")},
             {Cause("price", "Dear: 9 sectors"), Cause("values", "Wide: half a sum"),
              Cause("barrier", "Race: a race"), Cause("unguarded", "Edge: 3 reads outside M")});
  EXPECT_EQ(Order(result), "unguarded 1, barrier 1, values 1, price 1");
}

TEST(FirstAdvice, OfEqualsInOneStageTheSuitesOrderStays) {
  const ExerciseResult result =
      Result({Wrong("Wide"), Wrong("Tall")}, {Cause("b", "Wide: b"), Cause("a", "Tall: a")});
  EXPECT_EQ(Order(result), "b 2, a 2");
}

/// An empty input or a single element may fail because of the same mistake as all else.
TEST(FirstAdvice, ASpecialCaseThatFailsAsTheOthersDoIsOfTheSameCause) {
  const ExerciseResult same =
      Result({Refused("Nothing"), Refused("Some"), Refused("Many")}, {Cause("bytes", "Some: 100000 bytes")});
  EXPECT_EQ(Order(same), "bytes 3");
  const ExerciseResult other =
      Result({Refused("Nothing"), Wrong("One"), Wrong("Many")}, {Cause("rows", "Many: rows of k elements")});
  EXPECT_EQ(other.misconceptions[0].tests, (Names{"Suite.One", "Suite.Many"}));
  EXPECT_EQ(other.next_step, "") << "one unexplained test of three is no majority";
}

TEST(FirstAdvice, WhatTheSuiteListsForOneCauseIsNotTheOthers) {
  const ExerciseResult result =
      Result({Wrong("NoProducts"), Wrong("Wide"), Wrong("Tall")},
             {Cause("empty_sums", "NoProducts: nothing was written", {"NoProducts"}),
              Cause("rows", "every sum has k")});
  EXPECT_EQ(Order(result), "rows 2, empty_sums 1");
}

/// A race changes values, so that they are no sign of another mistake.
TEST(FirstAdvice, WrongValuesBesideARaceAreNotCounted) {
  const ExerciseResult result = Result({Wrong("Wide"), Racing("A"), Racing("B")},
                                       {Cause("rows", "Wide: rows of k"), Cause("barrier", "A: a race")});
  EXPECT_EQ(Order(result), "barrier 2, rows 1");
}

/// Two threads that store one element of the output have a wrong index: so have those whose stores do not
/// meet.
TEST(FirstAdvice, ARaceInGlobalMemoryMayFollowFromAWrongIndex) {
  TestResult meets = Wrong("Wide");
  meets.verdict = Verdict::kFinding;
  meets.findings = {AFinding(FindingKind::kRace)};
  meets.findings[0].space = MemorySpace::kGlobal;
  const ExerciseResult result = Result({meets, Wrong("Tall")}, {Cause("rows", "P has rows of j")});
  EXPECT_EQ(Order(result), "rows 2");
}

/// What was found at 2 x 3 is not what is wrong with 4 x 4.
TEST(FirstAdvice, AFactIsSaidOfTheCallThatItWasFoundIn) {
  TestResult square = Wrong("Square"), wide = Wrong("Wide");
  square.title = "4 x 4: a square";
  wide.title = "2 x 3: wide";
  square.explanation = {"2 x 3", {}, {"Rows have 3 elements."}, {}};
  const auto evidence = [](const std::vector<TestResult>& tests) {
    return Result(tests, {Cause("rows", "Rows have 3 elements.")}).misconceptions[0].evidence;
  };
  EXPECT_EQ(English(evidence({square, wide})), "Suite.Wide: Rows have 3 elements.");
  EXPECT_EQ(English(evidence({square, Passed("Wide")})), "Suite.Square; with 2 x 3: Rows have 3 elements.");
}

TEST(FirstAdvice, ReadsOutsideOneArrayAreNotReadsOutsideAnother) {
  const ExerciseResult result =
      Result({Outside("A", "M"), Outside("B", "N"), Outside("C", "N")},
             {Cause("m", "A: 1 read outside M"), Cause("n", "B: 1 read outside N")});
  EXPECT_EQ(Order(result), "n 2, m 1");
}

/// A name for one test in five does not hide what is wrong with the other four.
TEST(FirstAdvice, WhereMostTestsHaveNoNameTheirFactsComeFirst) {
  const ExerciseResult result = Result({Refused("Empty"), Racing("A"), Wrong("B"), Wrong("C"), Wrong("D")},
                                       {Cause("empty_grid", "Empty: a launch was refused")});
  EXPECT_EQ(result.next_step, "advice of B") << "most share wrong values";
  EXPECT_EQ(Order(result), "empty_grid 1") << "and the name follows";
}

TEST(FirstAdvice, HalfIsNotMost) {
  const ExerciseResult result =
      Result({Refused("Empty"), Wrong("A")}, {Cause("empty_grid", "Empty: a launch was refused")});
  EXPECT_EQ(result.next_step, "");
}

/// One name stands for all that a way of writing costs.
TEST(FirstAdvice, LimitsThatAreExceededDoNotOutvoteAName) {
  const ExerciseResult result =
      Result({Dear("A", "9 sectors"), Dear("B", "7 barriers"), Dear("C", "8 conflicts")},
             {Cause("naive", "A: 9 sectors")});
  EXPECT_EQ(result.next_step, "");
  EXPECT_EQ(Order(result), "naive 1");
}

TEST(FirstAdvice, TheSameLimitExceededByAnotherNumberIsTheSame) {
  const ExerciseResult result =
      Result({Dear("A", "9 sectors"), Dear("B", "700 sectors"), Dear("C", "8 conflicts")},
             {Cause("naive", "A: 9 sectors")});
  EXPECT_EQ(result.misconceptions[0].tests, (Names{"Suite.A", "Suite.B"}));
}

TEST(FirstAdvice, WithoutANameTheFirstOfMostSpeaks) {
  EXPECT_EQ(Result({Refused("Empty"), Passed("P"), Wrong("Wide"), Wrong("Tall")}).next_step,
            "advice of Wide");
  EXPECT_EQ(Result({Wrong("Wide"), Outside("Edge", "M")}).next_step, "advice of Edge")
      << "earlier in the chain";
  EXPECT_EQ(Result({Wrong("Wide"), Wrong("Tall"), Outside("Edge", "M", 2)}).next_step, "advice of Edge")
      << "one mistake at three sizes: what it reads outside says more than what comes of it";
  EXPECT_EQ(Result({Passed("P")}).next_step, "");
}

TEST(FirstAdvice, ValuesThatNobodySetAndNobodyUsesComeLast) {
  Finding unset = AFinding(FindingKind::kUninitialised);
  unset.space = MemorySpace::kShared;
  const auto reading = [&](const std::string& name, std::uint64_t wrong) {
    return ATest(name, Verdict::kFinding, wrong, {unset});
  };
  EXPECT_EQ(Result({reading("a", 0), reading("b", 0), Dear("c", "3 loads")}).next_step, "advice of c");
  EXPECT_EQ(Result({reading("a", 1), reading("b", 1), Dear("c", "3 loads")}).next_step, "advice of a");
  EXPECT_EQ(Result({reading("a", 0), reading("b", 0)}).next_step, "advice of a")
      << "where it is all there is";
}

TEST(FirstAdvice, ASkippedTestIsNoFailure) {
  const ExerciseResult result =
      Result({ATest("Skipped", Verdict::kNotRun), ATest("AlsoSkipped", Verdict::kNotRun), Wrong("Wide")},
             {Cause("rows", "Wide: rows of k elements")});
  EXPECT_EQ(Order(result), "rows 1");
  EXPECT_EQ(result.next_step, "");
}

TEST(FirstAdvice, TheEvidenceNamesAFailingTest) {
  const ExerciseResult passed =
      Result({Passed("OneTile"), Dear("Banks", "31 conflicts")}, {Cause("column", "OneTile: 31 conflicts")});
  EXPECT_EQ(English(passed.misconceptions[0].evidence), "Suite.Banks; shown by OneTile: 31 conflicts");
  const ExerciseResult none =
      Result({Passed("OneTile"), Wrong("Half")}, {Cause("step", "every sum is that of half a segment")});
  EXPECT_EQ(English(none.misconceptions[0].evidence), "Suite.Half: every sum is that of half a segment");
  const ExerciseResult failing = Result({Wrong("Half")}, {Cause("step", "Half: a sum")});
  EXPECT_EQ(failing.misconceptions[0].evidence, "Half: a sum");
  const ExerciseResult part = Result({Passed("Any"), Wrong("AnyWidth")}, {Cause("x", "AnyWidth (3): no")});
  EXPECT_EQ(part.misconceptions[0].evidence, "AnyWidth (3): no") << "a name is a whole word";
}

}  // namespace
}  // namespace warplings
