// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/check_exercise.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

TestResult OneTest(Verdict verdict, const std::string& next_step = "") {
  TestResult test;
  test.name = "Scale.Test";
  test.verdict = verdict;
  test.next_step = next_step;
  return test;
}

ExerciseResult Concluded(std::vector<TestResult> tests, PointsRule rule = PointsRule::kAllTests,
                         std::vector<Fact> facts = {}) {
  Exercise exercise;
  exercise.misconceptions = {{"unguarded", "The load is not checked", "Draw it.", "", {"reads_outside"}}};
  exercise.points = 10;
  exercise.points_rule = rule;
  exercise.starter_fails = {"Scale.Test"};
  ExerciseResult result;
  result.max_points = 10;
  result.tests = std::move(tests);
  result.facts = std::move(facts);
  Conclude(exercise, result);
  return result;
}

TEST(Conclude, AllPassedGivesAllPoints) {
  const ExerciseResult result = Concluded({OneTest(Verdict::kPassed), OneTest(Verdict::kPassed)});
  EXPECT_EQ(result.verdict, Verdict::kPassed);
  EXPECT_EQ(result.points, 10);
  EXPECT_EQ(result.next_step, "");
}

TEST(Conclude, TheWorstVerdictWinsAndTheFirstNextStepComesFirst) {
  const ExerciseResult result =
      Concluded({OneTest(Verdict::kPassed, "unused"), OneTest(Verdict::kWrongResult, "first"),
                 OneTest(Verdict::kCrashed, "second"), OneTest(Verdict::kFinding)});
  EXPECT_EQ(result.verdict, Verdict::kCrashed);
  EXPECT_EQ(result.points, 0);
  EXPECT_EQ(result.next_step, "first");
}

TEST(Conclude, PointsGoByTheExercisesRule) {
  const std::vector<TestResult> half = {OneTest(Verdict::kPassed), OneTest(Verdict::kWrongResult)};
  EXPECT_EQ(Concluded(half, PointsRule::kAllTests).points, 0);
  const ExerciseResult result = Concluded(half, PointsRule::kPerTest);
  EXPECT_EQ(result.points, 5);
  EXPECT_EQ(result.verdict, Verdict::kWrongResult);
  EXPECT_EQ(Concluded({OneTest(Verdict::kPassed)}, PointsRule::kPerTest).points, 10);
}

TEST(Conclude, AMisconceptionSpeaksInPlaceOfTheTests) {
  const Fact fact{"reads_outside", "reads past the end"};
  const ExerciseResult result =
      Concluded({OneTest(Verdict::kFinding, "generic")}, PointsRule::kAllTests, {fact});
  EXPECT_EQ(result.misconceptions.at(0).title, "The load is not checked");
  EXPECT_EQ(result.next_step, "");
  EXPECT_EQ(result.tests.front().next_step, "generic");
}

TEST(Conclude, NoTestIsAFaultOfOurs) {
  const ExerciseResult result = Concluded({});
  EXPECT_EQ(result.verdict, Verdict::kGraderFault);
  EXPECT_EQ(result.points, 0);
}

TEST(Conclude, ASkippedTestIsNotAPass) {
  EXPECT_EQ(Concluded({OneTest(Verdict::kPassed), OneTest(Verdict::kNotRun)}).verdict, Verdict::kNotRun);
}

}  // namespace
}  // namespace warplings
