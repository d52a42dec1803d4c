// SPDX-License-Identifier: Apache-2.0
#include "grader/authoring/verification.h"

#include <gtest/gtest.h>

#include "grader/messages/host_code.h"

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
    exercise_.misconceptions = {{"wrong", "", ""}};
    exercise_.misconceptions[0].told_by = {"reads_outside"};
    result_.tests = {TestOf("Add.Starts", Verdict::kPassed), TestOf("Add.Ends", Verdict::kPassed)};
    result_.points = result_.max_points = 10;
  }

  Names Of(Kind kind) const {
    return Shortcomings({kind, &exercise_, "add.wrong.cu", "a100", "wrong"}, result_);
  }

  Exercise exercise_;
  ExerciseResult result_;
};

TEST_F(ShortcomingsTest, ASuiteAtFaultNeitherKillsNorNames) {
  result_.misconceptions.emplace_back().id = "wrong";
  result_.tests[1].verdict = Verdict::kWrongResult;
  const VerificationRun run{Kind::kMutant, &exercise_, "add.wrong.by_shift.cu", "a100", "wrong"};
  const ConfusionRow named = RowOf(run, result_);
  EXPECT_EQ(named.taken, Names{"wrong"});
  EXPECT_EQ(named.killer, "Add.Ends");
  EXPECT_EQ(named.name, "wrong.by_shift");
  result_.tests[1].verdict = Verdict::kPassed;
  EXPECT_EQ(RowOf(run, result_).taken, Names{}) << "a fact holds, and no test fails";
  result_.tests[1].verdict = Verdict::kWrongResult;
  result_.tests[0].verdict = Verdict::kGraderFault;  // It recorded no result, say.
  const ConfusionRow faulty = RowOf(run, result_);
  EXPECT_EQ(faulty.taken, Names{});
  EXPECT_EQ(faulty.killer, "");
}

TEST_F(ShortcomingsTest, AStarterFailsJustWhatIsListed) {
  EXPECT_EQ(Of(Kind::kStarter), Names{"it passes tests that it is to fail: Add.Ends"});
  result_.tests[1].verdict = Verdict::kWrongResult;
  EXPECT_EQ(Of(Kind::kStarter), Names{"its report does not say what to do first"});
  result_.next_step = "Draw it.";
  EXPECT_EQ(Of(Kind::kStarter), Names{});
  result_.tests[0].verdict = Verdict::kFinding;
  EXPECT_EQ(Of(Kind::kStarter), Names{"it fails tests that chapter.toml does not list: Add.Starts"});
}

TEST_F(ShortcomingsTest, AListedTestThatIsNoneIsNamed) {
  exercise_.starter_fails = {"Add.Ends", "Add.Srarts"};
  result_.tests[1].verdict = Verdict::kWrongResult;
  result_.next_step = "Draw it.";
  EXPECT_EQ(Of(Kind::kStarter),
            Names{"starter_fails lists Add.Srarts, which is no test of the suite; did you mean Add.Starts?"});
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

/// A failed test has its reason, and costs the points.
TEST_F(ShortcomingsTest, OneFaultOfASolutionIsToldOnce) {
  Finding finding;
  finding.message = "out of bounds: in[300]";
  for (TestResult& test : result_.tests) {
    test.verdict = Verdict::kFinding;
    test.reason = finding.message;
    test.findings = {finding, finding};
  }
  result_.points = 0;
  EXPECT_EQ(Of(Kind::kSolution), Names{"it fails Add.Starts and 1 more test: out of bounds: in[300]"});
  finding.message = "out of bounds: in[8]";
  result_.tests[1].verdict = Verdict::kPassed;
  result_.tests[1].findings = {finding, finding, finding};
  EXPECT_EQ(Of(Kind::kSolution), (Names{"it fails Add.Starts: out of bounds: in[300]",
                                        "a finding in Add.Ends and 2 more, line 0: out of bounds: in[8]"}));
}

TEST_F(ShortcomingsTest, ByHowMuchTheSolutionDiffersIsSaid) {
  result_.tests[0].verdict = Verdict::kWrongResult;
  result_.tests[0].reason = "1 of 4 elements is wrong";
  result_.tests[0].wrong = {{"c[2]", "7", "7.00001", "off by 1e-05"}, {"c[3]", "1", "2", ""}};
  result_.points = 0;
  const Names problems = Of(Kind::kSolution);
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[1], "c[2] is 7.00001, and the reference has 7 (off by 1e-05). `./warplings check " +
                             exercise_.id + " --solution` shows more");
}

TEST_F(ShortcomingsTest, AnotherRightAnswerGetsAllPoints) {
  EXPECT_EQ(Of(Kind::kAlternative), Names{});
  result_.tests[1].verdict = Verdict::kFinding;
  result_.tests[1].reason = "line 3";
  result_.misconceptions = {{"wrong", "", "", ""}};
  result_.points = 9;
  EXPECT_EQ(Of(Kind::kAlternative), (Names{"it fails Add.Ends: line 3", "it is taken for wrong"}));
  result_.tests[1].verdict = Verdict::kPassed;
  result_.misconceptions.clear();
  EXPECT_EQ(Of(Kind::kAlternative), Names{"it does not get all points"});
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
  result_.facts = std::vector<Fact>{Fact{"reads_outside", "line 3"}};
  const Names survives = Of(Kind::kMutant);
  ASSERT_EQ(survives.size(), 1u) << "which fact it lacks is no matter";
  EXPECT_EQ(survives[0].find("no test kills it: "), 0u);
  EXPECT_NE(survives[0].find("a bound or limit in the suite is too wide"), std::string::npos);
  EXPECT_NE(survives[0].find("nvcc has removed it"), std::string::npos)
      << "the author looks at the suite otherwise";
  EXPECT_EQ(survives[0].find("warning"), std::string::npos);
  Finding finding;
  finding.where.line = 7;
  finding.message = "3 threads return before the barrier";
  finding.severity = Severity::kWarning;
  result_.tests[0].findings = {finding};
  EXPECT_TRUE(Of(Kind::kMutant)[0].ends_with(
      ". It has a warning, and warnings fail no test: line 7: 3 threads return before the barrier"));
  result_.tests[0].findings.clear();
  result_.tests[1].verdict = Verdict::kWrongResult;
  result_.misconceptions = {{"wrong", "", "", ""}};
  EXPECT_EQ(Of(Kind::kMutant), Names{});
  result_.misconceptions.push_back({"other", "", "", ""});
  EXPECT_EQ(Of(Kind::kMutant), Names{"it is taken for other"});
  result_.misconceptions.erase(result_.misconceptions.begin());
  EXPECT_EQ(Of(Kind::kMutant), (Names{"it is taken for other", "it is not taken for what it is"}));
}

/// The fact may be one that the suite states too readily.
TEST_F(ShortcomingsTest, WhatLedToAnotherMisconceptionIsNamed) {
  exercise_.misconceptions.push_back({"other", "", ""});
  exercise_.misconceptions[1].told_by = {"rest_unwritten"};
  result_.tests[1].verdict = Verdict::kWrongResult;
  result_.misconceptions = {{"other", "", "", ""}};
  result_.facts =
      std::vector<Fact>{Fact{"reads_outside_y", "line 3"}, Fact{"rest_unwritten", "Ends: nothing"}};
  EXPECT_EQ(Of(Kind::kMutant)[0], "it is taken for other: the suite states rest_unwritten (Ends: nothing)");
  result_.misconceptions[0].tests = Names{"Add.Ends"};
  EXPECT_EQ(
      Of(Kind::kMutant)[0],
      "it is taken for other: the suite states rest_unwritten (Ends: nothing), which explains Add.Ends");
}

TEST_F(ShortcomingsTest, AWarningInAHeaderHasItsFile) {
  Diagnostic warning;
  warning.where = {"chapters/01_sums/add.h", 3};
  warning.message = "unused parameter";
  result_.diagnostics = {warning, warning};
  result_.diagnostics[1].where.file = "add.wrong.cu";
  EXPECT_EQ(Of(Kind::kSolution),
            (Names{"the compiler complains about chapters/01_sums/add.h, line 3: unused parameter",
                   "the compiler complains in line 3: unused parameter"}));
}

TEST_F(ShortcomingsTest, TestsThatFailForTheSameReasonAreCounted) {
  result_.tests.push_back(TestOf("Add.AnySize", Verdict::kWrongResult));
  for (TestResult& test : result_.tests) test.verdict = Verdict::kWrongResult;
  result_.tests[0].reason = "3 of 4 elements are wrong";
  result_.tests[1].reason = "no kernel was launched";
  result_.tests[2].reason = "12 of 15 elements are wrong";
  EXPECT_EQ(Of(Kind::kAlternative), (Names{"it fails Add.Starts and 1 more test: 3 of 4 elements are wrong",
                                           "it fails Add.Ends: no kernel was launched"}));
}

TEST_F(ShortcomingsTest, AFactThatTheSuiteNeverStatesIsNamed) {
  result_.tests[1].verdict = Verdict::kWrongResult;
  exercise_.misconceptions[0].told_by = {"reads_outsid"};
  const std::string never = "no misconception is recognised: the suite states no fact reads_outsid (told_by)";
  result_.tests[1].reason = "line 17: reads level[1], but level has 1 element";
  const std::string how = "; it fails Add.Ends first: line 17: reads level[1], but level has 1 element";
  EXPECT_EQ(Of(Kind::kMutant),
            Names{"no misconception is recognised: it is told by reads_outsid, and none of the suite's facts "
                  "holds" +
                  how});
  result_.facts = std::vector<Fact>{Fact{"two_at_one_place", "line 3"}};
  EXPECT_EQ(Of(Kind::kMutant), Names{never + "; it states two_at_one_place" + how});
  result_.facts->push_back({"reads_outside", "line 3"});
  EXPECT_EQ(Of(Kind::kMutant), Names{never + "; did you mean reads_outside?"});
}

TEST_F(ShortcomingsTest, AMutantOfNoMisconceptionIsSaidSo) {
  exercise_.misconceptions[0].id = "wrongs";
  EXPECT_EQ(Of(Kind::kMutant), Names{"chapter.toml has no misconception wrong; did you mean wrongs?"});
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

/// Which test is the largest, and how far it may grow.
TEST_F(ShortcomingsTest, ATestThatIsTooLargeIsNamed) {
  EXPECT_EQ(LargestTest(result_), "") << "nothing was launched";
  result_.tests[0].launches.resize(1);
  result_.tests[0].launches[0].totals.warp_instructions = 9;
  result_.tests[1].launches.resize(2);
  for (LaunchRecord& launch : result_.tests[1].launches) launch.totals.warp_instructions = 2'500'000;
  EXPECT_EQ(LargestTest(result_),
            "the solution's largest test, Add.Ends, executes 5,000,000 warp instructions");
  result_.tests[1].launches[0].totals.warp_instructions += 1;
  EXPECT_EQ(
      LargestTest(result_),
      "the solution's largest test, Add.Ends, executes 5,000,001 warp instructions, more than 5,000,000: "
      "on a busy machine a right answer may run out of time, so make the input smaller");
  EXPECT_EQ(Of(Kind::kSolution), Names{}) << "it did end";

  result_.tests[1].verdict = Verdict::kTimeLimit;
  result_.tests[1].reason = "The function did not return within 10 s.";
  const Names expected = {
      "it fails Add.Ends: The function did not return within 10 s.",
      "Add.Ends ran out of time; the launches recorded until then executed 5,000,001 warp instructions. A "
      "right "
      "answer should need at most 5,000,000 in one test: if its loops end, make the test's input smaller, or "
      "look whether the budget that the suite passes to Call is too small"};
  EXPECT_EQ(Of(Kind::kSolution), expected);
  EXPECT_EQ(Of(Kind::kAlternative), expected);
  EXPECT_EQ(Of(Kind::kMutant).size(), 1u) << "a wrong answer may run for ever";
  // Of several the one that executed most.
  result_.tests[0].verdict = Verdict::kTimeLimit;
  const Names both = Of(Kind::kSolution);
  ASSERT_EQ(both.size(), 3u) << "why each fails, and which to look at";
  EXPECT_TRUE(both.back().starts_with("Add.Ends and 1 more test ran out of time; the launches"))
      << both.back();
}

TEST(RemindersOfTestsTest, ThoseThatNothingFailsAreNamed) {
  EXPECT_EQ(RemindersOfTests({"Add.Starts", "Add.Ends"}, {"Add.Ends", "Add.Starts", "Add.Ends"}), Names{});
  EXPECT_EQ(RemindersOfTests({"Add.Starts", "Add.Ends"}, {"Add.Ends"}),
            Names{"neither the starter nor a mutant fails Add.Starts: can this test fail?"});
  EXPECT_EQ(RemindersOfTests({"Add.Starts", "Add.Ends"}, {}),
            Names{"neither the starter nor a mutant fails Add.Starts, Add.Ends: can these tests fail?"});
}

TEST(RemindersOfChaptersTest, SeveralAreOneLineForAnExercise) {
  EXPECT_EQ(InOneLine({"no drills", "no page"}, {"08_more"}),
            Names{"2 notes about the chapter and the workbook; to read them: warplings verify 08_more"});
  EXPECT_EQ(InOneLine({"no drills"}, {"08_more"}), Names{"no drills"});
  EXPECT_EQ(InOneLine({}, {"08_more"}), Names{});
}

TEST(RemindersOfLimitsTest, ThoseThatNoMutantBreaksAloneAreNamed) {
  ExerciseResult solution, mutant;
  EXPECT_EQ(TakeLimits(solution), Limits{}) << "an older result has no facts";
  solution.facts = {{"limit:loads", "loads"}, {"limit_broken_alone:stores", "stores"}};
  mutant.facts = {{"reads_outside", "it reads outside"}, {"limit_broken_alone:loads", "loads"}};
  Limits all;
  AddLimits(TakeLimits(solution), false, all);
  EXPECT_TRUE(solution.facts->empty());
  EXPECT_EQ(
      RemindersOfLimits(all),
      Names{"no mutant breaks these limits alone: loads, stores (BrokenLimits). Can an answer with right "
            "values exceed them? Then write such a mutant"})
      << "what a right answer breaks is no mutant's";
  AddLimits(TakeLimits(mutant), true, all);
  ASSERT_EQ(mutant.facts->size(), 1u);
  EXPECT_EQ(mutant.facts->front().id, "reads_outside");
  EXPECT_EQ(RemindersOfLimits(all),
            Names{"no mutant breaks this limit alone: stores (BrokenLimits). Can an answer with right values "
                  "exceed it? Then write such a mutant"});
  AddLimits({{"loads", false}, {"stores", true}}, true, all);
  EXPECT_EQ(RemindersOfLimits(all), Names{}) << "one mutant is enough";
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

TEST(ConfusionTableTest, AVariantHasItsName) {
  const std::vector<MisconceptionText> ideas = {{"first", "", ""}};
  const std::vector<ConfusionRow> rows = {{"first", {"first"}, "Add.Ends", "first"},
                                          {"first", {"first"}, "Add.Ends", "first.by_shift"}};
  EXPECT_EQ(ConfusionTable(ideas, rows),
            "                    1  first failed test\n"
            "  1 first           #  Add.Ends\n"
            "  1 first.by_shift  #  Add.Ends\n");
}

TEST(ConfusionTableTest, NumbersOfTwoDigitsMoveNoLabel) {
  std::vector<MisconceptionText> ideas(10);
  for (std::size_t i = 0; i < ideas.size(); ++i) ideas[i].id = "idea_" + std::to_string(i);
  const std::string table =
      ConfusionTable(ideas, std::vector<ConfusionRow>{{"idea_8", {}, ""}, {"idea_9", {}, ""}});
  EXPECT_NE(table.find("\n   9 idea_8  "), std::string::npos) << table;
  EXPECT_NE(table.find("\n  10 idea_9  "), std::string::npos) << table;
}

TEST(FoldRepeatsTest, WhatEachSeedShowsIsSaidOnce) {
  const VerificationRun alone{Kind::kAlternative, nullptr, "alone.cu", "a100", "", 0};
  VerificationRun later = alone, other = alone;
  later.seed_step = 3;
  other.file = "other.cu";
  const VerificationRun t4{Kind::kSolution, nullptr, "add.cu", "t4", ""},
      h200{Kind::kSolution, nullptr, "add.cu", "h200", ""};
  EXPECT_EQ(
      FoldRepeats({{alone, "it fails Add.Ends: 12 instructions"},
                   {alone, "it does not get all points"},
                   {other, "it fails Add.Ends: 12 instructions"},
                   {later, "it fails Add.Ends: 13 instructions"},
                   {t4, "it does not get all points"},
                   {h200, "it does not get all points"}}),
      (Names{
          "solution on t4, h200 and 1 more file (alone): it does not get all points",
          "alternative alone at seed + 0, 3 and 1 more file (other): it fails Add.Ends: 12 instructions"}));
}

/// A fault of the suite is the same in each run.
TEST(FoldRepeatsTest, WhatEachFileShowsIsSaidOnceOfTheSolution) {
  const VerificationRun starter{Kind::kStarter, nullptr, "chapters/add.cu", "a100", ""},
      solution{Kind::kSolution, nullptr, "solutions/add.cu", "a100", ""};
  VerificationRun mutant{Kind::kMutant, nullptr, "add.wrong.cu", "a100", "wrong"};
  std::vector<Shortcoming> all = {{starter, "row_start falls at element 3"},
                                  {solution, "row_start falls at element 3"},
                                  {mutant, "row_start falls at element 3"}};
  EXPECT_EQ(FoldRepeats(all),
            Names{"solution on a100 and 2 more files (starter, add.wrong): row_start falls at element 3"});
  for (const char* file : {"add.a.cu", "add.b.cu", "add.c.cu"}) {
    mutant.file = file;
    all.push_back({mutant, "row_start falls at element 3"});
  }
  EXPECT_EQ(FoldRepeats(all), Names{"solution on a100 and 5 more files: row_start falls at element 3"});
}

/// By how much a limit is exceeded may depend on the inputs: with a few more rows a mutant keeps it.
TEST_F(ShortcomingsTest, AMutantOfALimitRunsAtFurtherSeeds) {
  const VerificationRun run{Kind::kMutant, &exercise_, "add.wrong.cu", "a100", "wrong"};
  EXPECT_TRUE(FurtherSeeds(run, result_).empty()) << "it has not failed";
  result_.tests[1].verdict = Verdict::kWrongResult;
  const std::vector<VerificationRun> further = FurtherSeeds(run, result_);
  ASSERT_EQ(further.size(), kAlternativeSeeds - 1);
  EXPECT_EQ(further.back().Name(), "mutant add.wrong at seed + 4");
  EXPECT_TRUE(FurtherSeeds(further.back(), result_).empty());
  EXPECT_EQ(Shortcomings(further.back(), result_), Names{}) << "its name is looked at once";
  const VerificationRun solution{Kind::kSolution, &exercise_, "add.cu", "a100", ""};
  EXPECT_TRUE(FurtherSeeds(solution, result_).empty());
  result_.tests[0] = TestOf("Add.Starts", Verdict::kFinding);
  EXPECT_TRUE(FurtherSeeds(run, result_).empty()) << "it does something else that is wrong";
  result_.tests[0] = TestOf("Add.Starts", Verdict::kWrongResult);
  result_.tests[0].wrong_count = 2;
  EXPECT_TRUE(FurtherSeeds(run, result_).empty()) << "so do wrong values";
  for (TestResult& test : result_.tests) test = TestOf(test.name, Verdict::kPassed);
  const Names problems = Shortcomings(further.front(), result_);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].find("depends on the inputs"), std::string::npos) << problems[0];
}

TEST(SuspectedSuite, IsNotAskedAboutWhereTheReasonSaysIt) {
  TestResult test;
  test.verdict = Verdict::kWrongResult;
  EXPECT_FALSE(SaysFaultOfSuite(test));
  test.reason = say::other_number_of_arguments(say::Count(3, "argument"), say::Count(4, "parameter"));
  EXPECT_TRUE(SaysFaultOfSuite(test));
  test.reason = {};
  test.verdict = Verdict::kGraderFault;
  EXPECT_TRUE(SaysFaultOfSuite(test));
}

/// One wrong expectation makes a line for each answer; none of them is at fault.
TEST(SuspectedSuite, IsThatWithWhichAllRightAnswersDisagree) {
  EXPECT_EQ(SuspectedSuite({{"add.cu", {"Add.Ends"}}}), "") << "perhaps the solution is wrong";
  EXPECT_EQ(SuspectedSuite({{"add.cu", {"Add.Ends"}}, {"add.float4.cu", {}}}), "");
  EXPECT_EQ(SuspectedSuite({{"add.cu", {"Add.Ends"}}, {"add.float4.cu", {"Add.Starts"}}}), "");
  const std::string words =
      SuspectedSuite({{"add.cu", {"Add.Ends", "Add.Starts"}}, {"add.float4.cu", {"Add.Starts"}}});
  EXPECT_EQ(words.find("the solution and all other right answers fail Add.Starts: look at the suite"), 0u)
      << words;
  const std::vector<std::string> both = {"Add.Starts", "Add.Ends"};
  EXPECT_EQ(SuspectedSuite({{"add.cu", both}, {"add.float4.cu", both}}), words) << "in the suite's order";
}

}  // namespace
}  // namespace warplings
