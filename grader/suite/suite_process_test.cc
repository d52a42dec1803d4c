// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <fstream>

#include "grader/messages/suite_runs.h"
#include "grader/suite/run_suite.h"
#include "grader/suite/suite_messages.h"

namespace warplings {
namespace {

namespace fs = std::filesystem;

/// A tree whose suite program is a shell script. $2 is the descriptor for the order, $4 the one for the
/// results.
class RunSuiteTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "suite-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    layout_.build = pattern;
    exercise_.chapter = "01_first";
    exercise_.id = "vector_add";
  }
  void TearDown() override { fs::remove_all(layout_.build); }

  void Script(const std::string& text) {
    const fs::path program = layout_.SuiteProgram(exercise_.chapter, exercise_.id);
    fs::create_directories(program.parent_path());
    std::ofstream(program) << "#!/bin/bash\n" << text << "\n";
    ::chmod(program.c_str(), 0700);
  }

  Result<SuiteOutcome> Run(std::chrono::seconds limit = std::chrono::seconds(20)) {
    SuiteRequest request;
    request.exercise = &exercise_;
    request.worker = {"/w", ""};
    request.seed = 18446744073709551615u;
    request.time_limit = limit;
    heard_.clear();
    return RunSuite(request, layout_, [this](const TestResult& test) { heard_.push_back(test.name); });
  }

  std::string Fault(std::chrono::seconds limit = std::chrono::seconds(20)) {
    const auto outcome = Run(limit);
    if (outcome) return "";
    EXPECT_EQ(outcome.error().blame, Blame::kGrader);
    return English(outcome.error().message);
  }

  static std::string Say(const SuiteLine& line) { return "cat >&$4 <<'END'\n" + WriteLine(line) + "END\n"; }
  static TestResult Test(const std::string& name) {
    TestResult test;
    test.name = name;
    return test;
  }

  Layout layout_;
  Exercise exercise_;
  std::vector<std::string> heard_;
};

TEST_F(RunSuiteTest, GathersTestsAndFacts) {
  Finding finding;
  finding.kind = FindingKind::kRace;
  Script(Say(SuiteStart{"V.A"}) + Say(Test("V.A")) + Say(Test("V.B")) +
         Say(SuiteEnd{{{"reads_outside", "of the array", {"V.A"}, finding}, {"refused", "by the device"}},
                      {{"kernel", 20, 0, 0, 0}},
                      "hello"}));
  const auto outcome = Run();
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  EXPECT_EQ(heard_, (std::vector<std::string>{"V.A", "V.B"}));
  EXPECT_EQ(outcome->tests.size(), 2u);
  ASSERT_EQ(outcome->facts.size(), 2u);
  EXPECT_EQ(outcome->facts[0].id, "reads_outside");
  EXPECT_EQ(outcome->facts[0].message, "of the array");
  EXPECT_EQ(outcome->facts[0].tests, std::vector<std::string>{"V.A"});
  ASSERT_TRUE(outcome->facts[0].finding);
  EXPECT_EQ(outcome->facts[0].finding->kind, FindingKind::kRace);
  EXPECT_FALSE(outcome->facts[1].finding);
  EXPECT_EQ(outcome->resources.at(0).registers, 20u);
  EXPECT_EQ(outcome->student_output, "hello");
}

/// An endless loop of the suite's own says nothing for minutes.
TEST_F(RunSuiteTest, ATestThatTakesLongIsNamedOnce) {
  const auto said = [this](const std::string& work) {
    Script(Say(SuiteStart{"V.Fast"}) + Say(Test("V.Fast")) + Say(SuiteStart{"V.Slow"}) + work + "\n" +
           Say(Test("V.Slow")) + Say(SuiteEnd{}));
    std::vector<Message> heard;
    SuiteRequest request;
    request.exercise = &exercise_;
    request.on_slow = [&](const Message& message) { heard.push_back(message); };
    request.slow_after = std::chrono::seconds(2);
    const auto outcome = RunSuite(request, layout_, {});
    EXPECT_TRUE(outcome.ok());
    return heard;
  };
  const std::vector<Message> loop = said("end=$((SECONDS + 5)); while [ $SECONDS -lt $end ]; do :; done");
  ASSERT_EQ(loop.size(), 1u);
  EXPECT_TRUE(say::suite_still_computes.Made(loop.front())) << loop.front();
  EXPECT_EQ(loop.front().arguments().front().text, "V.Slow");
  const std::vector<Message> call = said("sleep 5");
  ASSERT_EQ(call.size(), 1u);
  EXPECT_TRUE(say::suite_still_waits.Made(call.front())) << call.front();
  EXPECT_TRUE(said("sleep 0.1").empty());
}

TEST_F(RunSuiteTest, OneTestAloneIsAskedForByItsName) {
  Script("[ \"$5\" = --gtest_filter=V.B ] || exit 1\n" + Say(Test("V.B")) + Say(SuiteEnd{{}, {}, ""}));
  SuiteRequest request;
  request.exercise = &exercise_;
  request.test = "V.B";
  const auto outcome = RunSuite(request, layout_, [](const TestResult&) {});
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  EXPECT_EQ(outcome->tests.at(0).name, "V.B");
}

TEST_F(RunSuiteTest, AnExplanationGoesToItsTestAndChangesNoVerdict) {
  TestResult wrong = Test("V.B");
  wrong.verdict = Verdict::kWrongResult;
  wrong.next_step = "Look at it.";
  SuiteEnd end;
  end.explained = {
      {"V.B", {"5 elements", {{"y[0]", true, {{1, {"x[1]"}}}, {{1, {"x[0]"}}}}}, {"A fact."}}, "Do it."}};
  Script(Say(Test("V.A")) + Say(wrong) + Say(end));
  const auto outcome = Run();
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  EXPECT_FALSE(outcome->tests[0].explanation);
  const TestResult& explained = outcome->tests[1];
  EXPECT_EQ(explained.verdict, Verdict::kWrongResult);
  EXPECT_EQ(explained.next_step, "Look at it.") << "Advise chooses between the two";
  EXPECT_EQ(explained.explained_step, "Do it.");
  ASSERT_TRUE(explained.explanation);
  EXPECT_EQ(explained.explanation->elements.at(0).yours.at(0).factors.at(0), "x[1]");
  EXPECT_EQ(explained.explanation->facts, (std::vector<Message>{"A fact."}));
}

TEST_F(RunSuiteTest, OnlyATestThatFailedCanBeExplained) {
  SuiteEnd end;
  end.explained = {{"V.C", {}, ""}};
  Script(Say(Test("V.A")) + Say(end));
  EXPECT_NE(Fault().find("explains a test that it did not run: V.C"), std::string::npos);
  TestResult passed = Test("V.A");
  passed.verdict = Verdict::kPassed;
  end.explained = {{"V.A", {}, ""}};
  Script(Say(passed) + Say(end));
  EXPECT_NE(Fault().find("explains a test that passed: V.A"), std::string::npos);
}

TEST_F(RunSuiteTest, TheOrderArrivesWhole) {
  Script("order=$(cat <&$2)\n[[ $order == *vector_add* && $order == *18446744073709551615* ]] || exit 9\n" +
         Say(Test("V.A")) + Say(SuiteEnd{}));
  EXPECT_EQ(Fault(), "");
}

TEST_F(RunSuiteTest, GoogleTestTakesNoOrdersFromTheEnvironment) {
  ::setenv("GTEST_FILTER", "Nothing", 1);
  Script("[[ -z $GTEST_FILTER ]] || exit 9\n" + Say(Test("V.A")) + Say(SuiteEnd{}));
  EXPECT_EQ(Fault(), "");
  ::unsetenv("GTEST_FILTER");
}

TEST_F(RunSuiteTest, ACrashNamesTheSuiteTheSignalAndTheTest) {
  Script(Say(SuiteStart{"V.A"}) + "echo oh no >&2; kill -SEGV $$");
  EXPECT_EQ(Fault(),
            "suite of 01_first/vector_add: the suite was ended by signal 11 (Segmentation fault); its last "
            "output: oh no\n "
            "(during V.A)");
}

TEST_F(RunSuiteTest, AnEndWithoutAResultIsAFault) {
  Script(Say(Test("V.A")));
  EXPECT_EQ(Fault(), "suite of 01_first/vector_add: it ended without a result");
  Script(Say(SuiteEnd{}));
  EXPECT_EQ(Fault(), "suite of 01_first/vector_add: it has no test");
  Script("exit 3");
  EXPECT_EQ(Fault(), "suite of 01_first/vector_add: the suite ended with status 3");
}

TEST_F(RunSuiteTest, GarbageIsAFault) {
  Script("echo garbage >&$4");
  EXPECT_NE(Fault().find("sent something that is not a result"), std::string::npos);
  Script("echo '{\"test\": {}}' >&$4");
  EXPECT_NE(Fault().find("name: is missing"), std::string::npos);
  Script(Say(SuiteEnd{}) + Say(Test("V.A")));
  EXPECT_NE(Fault().find("more results after its last one"), std::string::npos);
  Script(Say(Test("V.A")) + "echo '{\"end\": {\"facts\": [{\"id\": 3}]}}' >&$4");
  EXPECT_NE(Fault().find("id: must be a string"), std::string::npos) << Fault();
}

TEST_F(RunSuiteTest, AnEndlessSuiteIsStopped) {
  Script("while :; do :; done");
  EXPECT_EQ(Fault(std::chrono::seconds(1)), "suite of 01_first/vector_add: the suite did not finish in time");
}

TEST_F(RunSuiteTest, AnEndlessLineIsStopped) {
  Script("exec tr '\\0' x </dev/zero >&$4");
  EXPECT_EQ(Fault(), "suite of 01_first/vector_add: the suite sent a line that is too long");
}

TEST_F(RunSuiteTest, AMissingSuiteIsNamed) {
  EXPECT_NE(Fault().find("01_first_vector_add_suite"), std::string::npos);
}

}  // namespace
}  // namespace warplings
