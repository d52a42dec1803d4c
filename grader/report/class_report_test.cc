// SPDX-License-Identifier: Apache-2.0
#include "grader/report/class_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "grader/report/made_up_class.h"

namespace warplings {
namespace {

using nlohmann::json;

TEST(ClassReportData, HoldsWhatThePagesShow) {
  ClassGrades grades = report_test::MadeUpClass();
  grades.texts[0].result.source = "int x;\x1b[31m\xff";
  const json data = json::parse(ClassReportData(grades));
  EXPECT_EQ(data["seed"], "18446744073709551615");
  ASSERT_EQ(data["students"].size(), 4u);
  const json& cell = data["students"][0]["cells"][0];
  EXPECT_EQ(cell["state"], "graded");
  EXPECT_EQ(cell["verdict"], "crashed");
  EXPECT_EQ(cell["text"], 0);
  EXPECT_EQ(data["students"][1]["cells"][0]["state"], "missing");
  EXPECT_EQ(data["students"][1]["cells"][0]["text"], nullptr);
  EXPECT_EQ(data["students"][2]["cells"][0]["problem"], "scale.cu is a link");
  EXPECT_EQ(data["students"][3]["complete"], false);
  EXPECT_EQ(data["exercises"][0]["tests"][0]["passed"], 1);
  EXPECT_EQ(data["exercises"][0]["misconceptions"][0]["students"], json::array({0}));
  EXPECT_EQ(data["texts"][0]["source"], "int x;\\x1b[31m\\xff");
}

/// As on the student's own screen.
TEST(ClassReportData, RightValuesAreNotCalledAWrongResult) {
  ClassGrades grades = report_test::MadeUpClass();
  ExerciseResult& result = grades.texts[0].result;
  result.verdict = Verdict::kWrongResult;
  result.tests.resize(1);
  result.tests[0].verdict = Verdict::kWrongResult;
  result.tests[0].element_count = 9;
  result.tests[0].wrong_count = 1;
  const auto words = [&] {
    return json::parse(ClassReportData(grades))["students"][0]["cells"][0]["verdict"].get<std::string>();
  };
  EXPECT_EQ(words(), "wrong result");
  result.tests[0].wrong_count = 0;
  EXPECT_EQ(words(), "every value is right; another requirement is not met");
}

}  // namespace
}  // namespace warplings
