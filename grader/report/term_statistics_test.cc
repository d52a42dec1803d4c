// SPDX-License-Identifier: Apache-2.0
#include "grader/report/term_statistics.h"

#include <gtest/gtest.h>

#include "grader/messages/report.h"

namespace warplings {
namespace {

ClassGrades ClassWithTest(const Message& title) {
  ClassGrades grades;
  ClassExercise& exercise = grades.exercises.emplace_back();
  exercise.chapter = "01_first";
  exercise.id = "scale";
  exercise.graded = 4;
  exercise.passed = 3;
  exercise.tests = {{"Scale.Large", title, 3, 4}};
  exercise.misconceptions = {{"load", "The load is not checked", "", {0}}};
  return grades;
}

TEST(TermStatistics, NumbersInTitlesHaveThousandsSeparatorsAsInReports) {
  std::vector<TermRates> rates;
  AddTermRates("2026", ClassWithTest(say::rate_of_graded(50, 4096, 40000)), rates);
  const std::string text = StatisticsText({"2026"}, rates, 120);
  EXPECT_NE(text.find("test passed    50 % (4,096 of 40,000)   75 % (3 of 4)"), std::string::npos) << text;
  EXPECT_NE(StatisticsCsv(rates).find("3,4,75,\"50 % (4,096 of 40,000)\"\r\n"), std::string::npos)
      << StatisticsCsv(rates);
}

TEST(TermStatistics, ALineHasTheTitleOfTheLastTermThatHasOne) {
  std::vector<TermRates> rates;
  AddTermRates("2025", ClassWithTest("as it was called"), rates);
  AddTermRates("2026", ClassWithTest("as it is called"), rates);
  AddTermRates("2027", ClassWithTest(""), rates);
  const std::string text = StatisticsText({"2025", "2026", "2027"}, rates, 160);
  EXPECT_NE(text.find("as it is called"), std::string::npos) << text;
  EXPECT_EQ(text.find("as it was called"), std::string::npos) << text;
  EXPECT_NE(text.find("The load is not checked  25 % (1 of 4)  25 % (1 of 4)  25 % (1 of 4)"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace warplings
