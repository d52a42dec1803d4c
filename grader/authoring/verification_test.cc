// SPDX-License-Identifier: Apache-2.0
#include "grader/authoring/verification.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

using Kind = VerificationRun::Kind;
using Names = std::vector<std::string>;

TestResult TestOf(const std::string& name, Verdict verdict) {
  TestResult test;
  test.name = name;
  test.verdict = verdict;
  return test;
}

class ShortcomingsTest : public testing::Test {
 protected:
  ShortcomingsTest() {
    exercise_.id = "add";
    exercise_.starter_fails = {"Add.Ends"};
    result_.tests = {TestOf("Add.Starts", Verdict::kPassed), TestOf("Add.Ends", Verdict::kPassed)};
    result_.points = result_.max_points = 10;
  }

  Names Of(Kind kind) const {
    return Shortcomings({kind, &exercise_, "add.wrong.cu", "a100", "wrong"}, result_);
  }

  Exercise exercise_;
  ExerciseResult result_;
};

TEST_F(ShortcomingsTest, AStarterFailsJustWhatIsListed) {
  EXPECT_EQ(Of(Kind::kStarter), Names{"it passes tests that it is to fail: Add.Ends"});
  result_.tests[1].verdict = Verdict::kWrongResult;
  EXPECT_EQ(Of(Kind::kStarter), Names{"its report does not say what to do first"});
  result_.next_step = "Draw it.";
  EXPECT_EQ(Of(Kind::kStarter), Names{});
  result_.tests[0].verdict = Verdict::kFinding;
  EXPECT_EQ(Of(Kind::kStarter), Names{"it fails tests that chapter.toml does not list: Add.Starts"});
}

TEST_F(ShortcomingsTest, ASolutionHasNothingToSayAgainstIt) {
  EXPECT_EQ(Of(Kind::kSolution), Names{});
  Finding finding;
  finding.message = "a barrier that returned threads leave out";
  finding.severity = Severity::kWarning;
  result_.tests[0].findings = {finding};
  result_.misconceptions = {{"wrong", "", "", ""}};
  result_.points = 9;
  EXPECT_EQ(Of(Kind::kSolution),
            (Names{"a finding in Add.Starts, line 0: a barrier that returned threads leave out",
                   "it is taken for wrong", "it does not get all points"}));
}

TEST_F(ShortcomingsTest, AnotherRightAnswerGetsAllPoints) {
  EXPECT_EQ(Of(Kind::kAlternative), Names{});
  result_.tests[1].verdict = Verdict::kFinding;
  result_.tests[1].reason = "line 3";
  result_.misconceptions = {{"wrong", "", "", ""}};
  result_.points = 9;
  EXPECT_EQ(Of(Kind::kAlternative),
            (Names{"it fails Add.Ends: line 3", "it is taken for wrong", "it does not get all points"}));
}

TEST_F(ShortcomingsTest, AMutantFailsOnACardOrIsMarkedAsHidden) {
  EXPECT_EQ(Of(Kind::kMutantOnCard),
            Names{"no test kills it on the card, and chapter.toml does not say why (hidden_on_gpu)"});
  exercise_.misconceptions = {{"wrong", "", "", "Warps run in step here."}};
  EXPECT_EQ(Of(Kind::kMutantOnCard), Names{});
  exercise_.misconceptions[0].hidden_on_gpu.clear();
  result_.tests[0].verdict = Verdict::kWrongResult;
  result_.misconceptions = {{"another", "", "", ""}};
  EXPECT_EQ(Of(Kind::kMutantOnCard), Names{}) << "what it is taken for is the watcher's business";
}

TEST_F(ShortcomingsTest, AMutantIsKilledAndTakenForItself) {
  EXPECT_EQ(Of(Kind::kMutant), (Names{"no test kills it", "no misconception is recognised"}));
  result_.tests[1].verdict = Verdict::kWrongResult;
  result_.misconceptions = {{"wrong", "", "", ""}};
  EXPECT_EQ(Of(Kind::kMutant), Names{});
  result_.misconceptions.push_back({"other", "", "", ""});
  EXPECT_EQ(Of(Kind::kMutant), Names{"it is taken for other"});
  result_.misconceptions.erase(result_.misconceptions.begin());
  EXPECT_EQ(Of(Kind::kMutant), (Names{"it is taken for other", "it is not taken for what it is"}));
}

TEST_F(ShortcomingsTest, WhatNeverRanIsSaidSo) {
  result_.tests.clear();
  result_.verdict = Verdict::kCompileError;
  result_.reason = "line 3";
  for (const Kind kind : {Kind::kStarter, Kind::kSolution, Kind::kMutant}) {
    EXPECT_EQ(Of(kind), Names{"it did not run: compile_error, line 3"});
  }
}

TEST_F(ShortcomingsTest, AFaultOfTheSuiteNeverHides) {
  result_.tests[1].verdict = Verdict::kGraderFault;
  result_.tests[1].reason = "the test recorded no result";
  result_.next_step = "report it";
  EXPECT_EQ(Of(Kind::kStarter), Names{"Add.Ends: the test recorded no result"});
}

TEST(ConfusionTableTest, TheDiagonalIsToldFromTheRest) {
  const std::vector<MisconceptionText> ideas = {{"first", "", ""}, {"second", "", ""}};
  const std::vector<ConfusionRow> rows = {{"second", {"first", "second"}, ""},
                                          {"first", {"first"}, "Add.Ends"}};
  EXPECT_EQ(ConfusionTable(ideas, rows),
            "            1  2  first failed test\n"
            "  1 first   #  .  Add.Ends\n"
            "  2 second  X  #  none\n");
}

}  // namespace
}  // namespace warplings
