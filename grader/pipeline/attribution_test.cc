// SPDX-License-Identifier: Apache-2.0
#include "grader/pipeline/attribution.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

SuiteOutcome OutcomeOf(const std::vector<Verdict>& verdicts) {
  SuiteOutcome outcome;
  for (const Verdict verdict : verdicts) {
    TestResult test;
    test.name = "Add.Test" + std::to_string(outcome.tests.size());
    test.verdict = verdict;
    if (verdict == Verdict::kGraderFault) test.reason = "the device process ended";
    outcome.tests.push_back(std::move(test));
  }
  return outcome;
}

constexpr auto kFault = Verdict::kGraderFault;
constexpr auto kGood = Verdict::kPassed;

/// A submission's two runs and the solution's, and how often each was asked for.
struct Runs {
  Result<SuiteOutcome> first, second;
  std::optional<Result<SuiteOutcome>> solution;
  int repeated = 0, compared = 0;

  Result<SuiteOutcome> Attribute() {
    return AttributeFaults(
        first,
        [this] {
          ++repeated;
          return second;
        },
        [this] {
          ++compared;
          return solution;
        });
  }
};

TEST(Attribution, WithoutAFaultNothingRunsTwice) {
  Runs runs{OutcomeOf({kGood, Verdict::kCrashed}), OutcomeOf({}), OutcomeOf({})};
  const auto outcome = runs.Attribute();
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->tests[1].verdict, Verdict::kCrashed);
  EXPECT_EQ(runs.repeated + runs.compared, 0);
}

TEST(Attribution, AFaultThatDoesNotComeAgainIsNobodys) {
  Runs runs{OutcomeOf({kFault, kGood}), OutcomeOf({kGood, Verdict::kWrongResult}), OutcomeOf({kGood, kGood})};
  const auto outcome = runs.Attribute();
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->tests[0].verdict, kGood);
  EXPECT_EQ(outcome->tests[1].verdict, Verdict::kWrongResult);
  EXPECT_EQ(runs.compared, 0);
}

TEST(Attribution, AFaultThatTheSolutionDoesNotMeetIsTheSubmissions) {
  Runs runs{OutcomeOf({kGood, kFault}), OutcomeOf({kGood, kFault}), OutcomeOf({kGood, kGood})};
  const auto outcome = runs.Attribute();
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->tests[0].verdict, kGood);
  EXPECT_EQ(outcome->tests[1].verdict, Verdict::kFinding);
  EXPECT_NE(English(outcome->tests[1].reason).find("the device process ended"), std::string::npos)
      << outcome->tests[1].reason;
  EXPECT_FALSE(outcome->tests[1].next_step.empty());
}

TEST(Attribution, AFaultThatTheSolutionMeetsStaysOurs) {
  for (const auto& solution :
       {OutcomeOf({kGood, kFault}), OutcomeOf({kGood, Verdict::kTimeLimit}), OutcomeOf({})}) {
    Runs runs{OutcomeOf({kGood, kFault}), OutcomeOf({kGood, kFault}), solution};
    const auto outcome = runs.Attribute();
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->tests[1].verdict, kFault);
  }
  Runs none{OutcomeOf({kFault}), OutcomeOf({kFault}), std::nullopt};
  EXPECT_EQ(none.Attribute()->tests[0].verdict, kFault);
  Runs broken{OutcomeOf({kFault}), OutcomeOf({kFault}), Result<SuiteOutcome>(GraderError("no suite"))};
  EXPECT_EQ(broken.Attribute()->tests[0].verdict, kFault);
}

TEST(Attribution, ASuiteThatEndsTwiceIsTheSubmissionsAsWell) {
  const Result<SuiteOutcome> ended = GraderError("the suite ended in the middle");
  Runs runs{ended, ended, OutcomeOf({kGood, kGood})};
  const auto outcome = runs.Attribute();
  ASSERT_TRUE(outcome);
  ASSERT_EQ(outcome->tests.size(), 2u);
  EXPECT_EQ(outcome->tests[0].name, "Add.Test0");
  EXPECT_EQ(outcome->tests[0].verdict, Verdict::kFinding);
  EXPECT_EQ(outcome->tests[1].verdict, Verdict::kNotRun);
  Runs both{ended, ended, ended};
  EXPECT_FALSE(both.Attribute());
}

TEST(Attribution, WrongUsageIsNoFault) {
  Runs runs{UsageError("no such device"), OutcomeOf({}), OutcomeOf({})};
  EXPECT_FALSE(runs.Attribute());
  EXPECT_EQ(runs.repeated, 0);
}

}  // namespace
}  // namespace warplings
