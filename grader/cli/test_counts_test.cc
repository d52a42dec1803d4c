// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/test_counts.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

TEST(CountTests, AddsUpSuites) {
  const auto counts = CountTests(
      R"(<?xml version='1.0' encoding='utf8'?><testsuites tests="99" errors="99" failures="99">)"
      R"(<testsuite name="w.report.Wrap" tests="5" failures="1" disabled="0" skipped="2" errors="0" time="0.1">)"
      R"(<testcase name="a" /></testsuite>)"
      R"(<testsuite name="warplings" tests="2" errors="1" failures="0" skipped="0"/></testsuites>)");
  ASSERT_TRUE(counts.has_value());
  EXPECT_EQ(TestCountsLine(*counts), "3 passed, 2 failed, 2 skipped");
}

TEST(CountTests, FindsNothingInOtherText) {
  EXPECT_FALSE(CountTests("").has_value());
  EXPECT_FALSE(CountTests("<testsuites tests=\"0\"></testsuites>").has_value());
}

TEST(CountTests, SumsOverRuns) {
  TestCounts sum{.passed = 1, .failed = 2, .skipped = 3};
  Add(sum, {.passed = 10, .failed = 20, .skipped = 30});
  EXPECT_EQ(TestCountsLine(sum), "11 passed, 22 failed, 33 skipped");
}

TEST(TestNames, AreReadFromMesonsList) {
  EXPECT_EQ(
      ReadTestNames(R"([{"name": "wheel", "suite": ["warplings:long"]}, {"name": 3}, 7, {"name": "cli"}])"),
      (std::vector<std::string>{"wheel", "cli"}));
  EXPECT_TRUE(ReadTestNames("{\"name\": \"wheel\"}").empty());
  EXPECT_TRUE(ReadTestNames("no JSON").empty());
}

TEST(TestNames, ScriptsNeedNoBuild) {
  const std::string list =
      R"([{"name": "spelling", "depends": []}, {"name": "voice", "depends": []}, {"name": "cli", "depends": ["a@exe"]},
          {"name": "old"}])";
  EXPECT_FALSE(NeedBuild(list, {"spelling", "voice"}));
  EXPECT_TRUE(NeedBuild(list, {"spelling", "cli"}));
  EXPECT_TRUE(NeedBuild(list, {"spelling", "old"})) << "a list that does not say it";
  EXPECT_TRUE(NeedBuild(list, {"spelling", "v*"})) << "meson's patterns";
  EXPECT_TRUE(NeedBuild("no JSON", {"spelling"}));
}

TEST(TestTimes, AreReadFromMesonsLogAndSorted) {
  const std::vector<TestTime> times = ReadTestTimes(
      "{\"name\": \"warplings:usual / wheel\", \"stdout\": \"a\\nb\", \"duration\": 18.5}\n"
      "{\"name\": \"alone\", \"duration\": 2}\n"
      "no JSON\n{\"name\": 3, \"duration\": 2}\n{\"name\": \"untimed\"}\n"
      "{\"name\": \"warplings / browser\", \"duration\": 300.25}\n");
  ASSERT_EQ(times.size(), 3u);
  const std::vector<TestTime> slowest = Slowest(times, 2);
  ASSERT_EQ(slowest.size(), 2u);
  EXPECT_EQ(slowest[0].name, "browser");
  EXPECT_EQ(slowest[0].seconds, 300.25);
  EXPECT_EQ(slowest[1].name, "wheel");
  EXPECT_EQ(Slowest(times, 10).size(), 3u);
}

TEST(CountTests, SurvivesTextThatIsCutShort) {
  EXPECT_TRUE(CountTests("<testsuite name=\"x\" tests=\"12").has_value());
}

}  // namespace
}  // namespace warplings
