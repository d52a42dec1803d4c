// SPDX-License-Identifier: Apache-2.0
#include "grader/report/junit.h"

#include <gtest/gtest.h>

#include "tests/support/made_up_class.h"

namespace warplings {
namespace {

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(XmlText, HoldsNothingThatXmlCannot) {
  EXPECT_EQ(XmlText("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
  EXPECT_EQ(XmlText(std::string("\x1b[0m\0\xff", 6)), "\\x1b[0m\\x00\\xff");
  EXPECT_EQ(XmlText("\xef\xbf\xbf\xef\xbf\xbe\xef\xbf\xbd"), "\\u{ffff}\\u{fffe}\xef\xbf\xbd");
  EXPECT_EQ(XmlText("two\nlines"), "two&#10;lines");
}

TEST(JUnitReport, ASuiteForEachExerciseAndACaseForEachTest) {
  ClassGrades grades = report_test::MadeUpClass();
  const ExerciseResult& result = grades.texts[0].result;
  const std::string graded = JUnitReport(grades, grades.students[0]);
  EXPECT_TRUE(Has(graded, "<testsuite name=\"scale\" package=\"01_first\" id=\"0\" tests=\"" +
                              std::to_string(result.tests.size()) + "\""));
  for (const TestResult& test : result.tests) EXPECT_TRUE(Has(graded, "name=\"" + test.name + "\""));
  EXPECT_TRUE(Has(graded, "<failure message="));
  EXPECT_TRUE(Has(graded, "<skipped message=\"nothing was handed in\"/>"));
  EXPECT_TRUE(Has(JUnitReport(grades, grades.students[2]), "<failure message=\"scale.cu is a link\""));
  EXPECT_TRUE(Has(JUnitReport(grades, grades.students[3]), "errors=\"1\""));
}

TEST(JUnitReport, AnExcludedTestIsSkippedAndBothGradesStandThere) {
  ClassGrades grades = report_test::MadeUpClass();
  for (const TestResult& test : grades.texts[0].result.tests) {
    grades.exercises[0].excluded.push_back({test.name, "the suite was wrong", "Grace", ""});
  }
  GradeCell& cell = grades.students[0].cells[0];
  cell.points = 7;
  cell.changes.push_back({PointChange::Kind::kOverride, 4.5, "shown to me", "Grace", ""});
  cell.comments = {{"", "On all.", "Grace", ""}, {"Scale.AnyLength", "Line 4.", "Grace", ""}};
  const std::string text = JUnitReport(grades, grades.students[0]);
  EXPECT_TRUE(Has(text, "name=\"comment\" value=\"On all.\""));
  EXPECT_TRUE(Has(text, "name=\"comment\" value=\"Scale.AnyLength: Line 4.\""));
  EXPECT_TRUE(Has(text, "failures=\"0\""));
  EXPECT_TRUE(Has(text, "counts for nobody: the suite was wrong"));
  EXPECT_TRUE(Has(text, "<property name=\"points\" value=\"7\"/>"));
  EXPECT_TRUE(Has(text, "<property name=\"automatic_points\" value=\"2.5\"/>"));
  EXPECT_TRUE(Has(text, "4.5 points: shown to me"));
}

}  // namespace
}  // namespace warplings
