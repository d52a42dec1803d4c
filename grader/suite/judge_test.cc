// SPDX-License-Identifier: Apache-2.0
#include "grader/suite/judge.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "grader/base/program_output.h"
#include "grader/core/limit_facts.h"
#include "grader/messages/judging.h"
#include "grader/suite/run_suite.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

/// Runs the suites of testdata/ in the way the command line does.
class JudgeTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "judge-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    layout_.build = pattern;
    exercise_.chapter = "01_sample";
    Install("sample", WARPLINGS_SAMPLE_SUITE);
    Install("crashing", WARPLINGS_CRASHING_SUITE);
  }
  void TearDown() override { fs::remove_all(layout_.build); }

  void Install(const std::string& exercise, const fs::path& suite) {
    const fs::path program = layout_.SuiteProgram(exercise_.chapter, exercise);
    fs::create_directories(program.parent_path());
    fs::create_symlink(suite, program);
  }

  Result<SuiteOutcome> Run(const std::string& exercise, std::uint64_t seed = 42) {
    exercise_.id = exercise;
    SuiteRequest request;
    request.exercise = &exercise_;
    request.seed = seed;
    return RunSuite(request, layout_, {});
  }

  Layout layout_;
  Exercise exercise_;
};

TEST(ResultOfTest, ACallThatWasStoppedLeaksNothing) {
  CallReport report;
  for (const FindingKind kind : {FindingKind::kLeak, FindingKind::kRace, FindingKind::kLeak}) {
    report.findings.emplace_back();
    report.findings.back().kind = kind;
  }
  report.advised = 1;
  report.verdict = Verdict::kFinding;
  EXPECT_EQ(ResultOf("one", report).findings.size(), 3u);
  for (const Verdict each : {Verdict::kTimeLimit, Verdict::kExited, Verdict::kCrashed}) {
    report.verdict = each;
    const TestResult result = ResultOf("one", report);
    ASSERT_EQ(result.findings.size(), 1u);
    EXPECT_EQ(result.findings[0].kind, FindingKind::kRace);
    EXPECT_EQ(result.advised, 0u);
  }
}

TEST_F(JudgeTest, EachTestsResultArrivesWithItsName) {
  const auto outcome = Run("sample");
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  ASSERT_EQ(outcome->tests.size(), 5u);
  EXPECT_EQ(outcome->tests[0].name, "Sample.RecordsAVerdict");
  EXPECT_EQ(outcome->tests[0].verdict, Verdict::kPassed);
  EXPECT_EQ(outcome->facts.at(0).id, "known");
}

TEST_F(JudgeTest, LimitsAreStatedOnlyIfTheyAreAskedFor) {
  const auto ids = [&] {
    std::vector<std::string> all;
    const auto outcome = Run("sample");
    if (!outcome) return all;
    for (const Fact& fact : outcome->facts) all.push_back(fact.id);
    return all;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(ids(), Names{"known"});
  ::setenv(kStateLimits, "1", 1);
  EXPECT_EQ(ids(), (Names{"known", "limit_broken_alone:loads", "limit:stores"}));
  ::unsetenv(kStateLimits);
}

TEST_F(JudgeTest, AFaultOfTheSuiteIsNotTheSubmissions) {
  const auto outcome = Run("sample");
  ASSERT_TRUE(outcome.ok());
  for (std::size_t i = 1; i < 5; ++i) EXPECT_EQ(outcome->tests[i].verdict, Verdict::kGraderFault);
  EXPECT_EQ(outcome->tests[1].reason, say::test_recorded_nothing());
  EXPECT_NE(English(outcome->tests[2].reason).find("the test itself failed"), std::string::npos);
  EXPECT_NE(English(outcome->tests[3].reason).find("thrown"), std::string::npos);
  EXPECT_TRUE(say::other_elements_break_rule.Made(outcome->tests[4].reason)) << outcome->tests[4].reason;
}

TEST_F(JudgeTest, ASuiteListsItsArraysWithoutASubmission) {
  const auto output = CaptureOutput({WARPLINGS_SAMPLE_SUITE, "--inputs"}, ErrorText::kDropped);
  ASSERT_TRUE(output.ok());
  EXPECT_EQ(output->status, 0);
  const std::string input = "starts\tother elements\tnever falls\tchecksum ";
  EXPECT_TRUE(output->text.starts_with(input)) << output->text;
  EXPECT_TRUE(output->text.ends_with("\nends\toutput\n")) << output->text;
}

TEST_F(JudgeTest, InputsFollowTheSeed) {
  const auto one = Run("sample", 1), again = Run("sample", 1), other = Run("sample", 2);
  ASSERT_TRUE(one.ok() && again.ok() && other.ok());
  EXPECT_EQ(one->tests[0].title, again->tests[0].title);
  EXPECT_NE(English(one->tests[0].title).substr(6), English(other->tests[0].title).substr(6));
}

TEST_F(JudgeTest, ACrashOfTheSuiteNamesTheTest) {
  const auto outcome = Run("crashing");
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().blame, Blame::kGrader);
  EXPECT_NE(English(outcome.error().message).find("signal 6"), std::string::npos) << outcome.error().message;
  EXPECT_NE(English(outcome.error().message).find("during Crashing.Aborts"), std::string::npos);
}

TEST(AddVerdictTest, TheWorseOneStays) {
  TestResult result;
  result.verdict = Verdict::kPassed;
  AddVerdict(result, Verdict::kWrongResult, "wrong", "");
  result.advised = 0;
  AddVerdict(result, Verdict::kFinding, "race", "look");
  EXPECT_FALSE(result.advised) << "the advice is another one";
  AddVerdict(result, Verdict::kWrongResult, "wrong again", "");
  EXPECT_EQ(result.verdict, Verdict::kFinding);
  EXPECT_EQ(result.reason, "race");
  EXPECT_EQ(result.next_step, "look");
}

TEST(AddComparisonTest, CountsAndSaysWhenNothingWasLaunched) {
  TestResult result;
  result.verdict = Verdict::kPassed;
  Comparison comparison;
  comparison.element_count = 9;
  AddComparison(result, comparison, "P");
  EXPECT_EQ(result.verdict, Verdict::kPassed);
  comparison.wrong_count = 9;
  comparison.wrong = {{"P[0][0]", "1", "nothing", say::never_written()}};
  AddComparison(result, comparison, "P");
  EXPECT_EQ(result.verdict, Verdict::kWrongResult);
  EXPECT_EQ(English(result.reason),
            "no kernel was launched, and all 9 elements of P are wrong, the first is P[0][0]");
  EXPECT_EQ(result.wrong.size(), 1u);
  EXPECT_EQ(TestsIn(result.next_step),
            std::vector<std::string>{"AddComparisonTest.CountsAndSaysWhenNothingWasLaunched"})
      << "for which sizes";
}

TEST(AddReturnedTest, AWrongReturnedValueIsAWrongResult) {
  TestResult result;
  result.verdict = Verdict::kPassed;
  result.launches.resize(1);
  AddReturned(result, 3, 3);
  EXPECT_EQ(result.verdict, Verdict::kPassed);
  AddReturned(result, 3, 0);
  EXPECT_EQ(result.verdict, Verdict::kWrongResult);
  EXPECT_EQ(result.wrong_count, 1u) << "so that no report says that all values are right";
  EXPECT_EQ(result.element_count, 2u);
  EXPECT_EQ(English(result.reason), "the function returns 0; it should return 3");
  ASSERT_EQ(result.wrong.size(), 1u);
  EXPECT_EQ(English(result.wrong[0].where), "the returned value");
}

TEST(AddReturnedTest, ACallThatDidNotReturnHasNoValue) {
  TestResult result;
  result.verdict = Verdict::kCrashed;
  AddReturned(result, 3, std::nullopt);
  EXPECT_EQ(result.verdict, Verdict::kCrashed);
  EXPECT_EQ(result.element_count, 0u);
  result.verdict = Verdict::kPassed;
  AddReturned(result, 3, std::nullopt);
  EXPECT_EQ(result.verdict, Verdict::kProtocolViolation);
}

}  // namespace
}  // namespace warplings
