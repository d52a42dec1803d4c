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

TEST(CountTests, SurvivesTextThatIsCutShort) {
  EXPECT_TRUE(CountTests("<testsuite name=\"x\" tests=\"12").has_value());
}

}  // namespace
}  // namespace warplings
