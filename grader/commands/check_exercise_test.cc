// SPDX-License-Identifier: Apache-2.0
#include "grader/commands/check_exercise.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

TestResult OneTest(Verdict verdict, const std::string& next_step = "") {
  TestResult test;
  test.verdict = verdict;
  test.next_step = next_step;
  return test;
}

ExerciseResult Concluded(std::vector<TestResult> tests) {
  ExerciseResult result;
  result.max_points = 10;
  result.tests = std::move(tests);
  Conclude(result);
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

TEST(Conclude, NoTestIsAFaultOfOurs) {
  EXPECT_EQ(Concluded({}).verdict, Verdict::kGraderFault);
}

TEST(Conclude, ASkippedTestIsNotAPass) {
  EXPECT_EQ(Concluded({OneTest(Verdict::kPassed), OneTest(Verdict::kNotRun)}).verdict, Verdict::kNotRun);
}

}  // namespace
}  // namespace warplings
