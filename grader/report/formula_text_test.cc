// SPDX-License-Identifier: Apache-2.0
#include "grader/report/formula_text.h"

#include <gtest/gtest.h>

#include <sstream>

#include "grader/base/text.h"

namespace warplings {
namespace {

std::vector<Term> Products(int first, int last) {
  std::vector<Term> terms;
  for (int i = first; i <= last; ++i) {
    terms.push_back({1, {"M[0][" + std::to_string(i) + "]", "N[" + std::to_string(i) + "][0]"}});
  }
  return terms;
}

TEST(SumText, WritesTimesSignsAndNumbers) {
  EXPECT_EQ(SumText({{2, {"x[0]"}}, {-1, {"x[3]"}}, {7, {}}}, {}, 80), "2·x[0] - x[3] + 7");
  EXPECT_EQ(SumText({{-3, {"x[0]"}}}, {}, 80), "-3·x[0]");
  EXPECT_EQ(SumText({}, {}, 80), "0");
}

TEST(SumText, LeavesOutFirstWhatBothHave) {
  const std::vector<Term> right = Products(0, 39);
  std::vector<Term> yours = right;
  yours[20].factors[0] = "M[1][0]";
  const std::string text = SumText(yours, right, 60);
  EXPECT_EQ(text, "M[0][0]·N[0][0] + M[0][1]·N[1][0] + … + M[1][0]·N[20][0] + …");
  EXPECT_EQ(SumText(right, yours, 48), "M[0][0]·N[0][0] + … + M[0][20]·N[20][0] + …");
}

TEST(SumText, ShowsWhereTermsAreMissing) {
  std::vector<Term> yours = Products(0, 2);
  const std::vector<Term> rest = Products(16, 20);
  yours.insert(yours.end(), rest.begin(), rest.end());
  EXPECT_EQ(SumText(yours, Products(0, 20), 66),
            "M[0][0]·N[0][0] + … + M[0][2]·N[2][0] + M[0][16]·N[16][0] + …");
}

TEST(SumText, IsNeverWiderThanItsRoom) {
  for (std::size_t room = 1; room < 90; ++room) {
    EXPECT_LE(DisplayWidth(SumText(Products(0, 20), Products(3, 9), room)), room);
  }
}

TEST(FormulaLines, PutsYoursAboveRight) {
  const ElementFormula formula{"P[0][0]", true, Products(0, 0), Products(0, 1)};
  EXPECT_EQ(FormulaLines({}, formula, 2, 80),
            "  P[0][0]  yours  M[0][0]·N[0][0]\n"
            "           right  M[0][0]·N[0][0] + M[0][1]·N[1][0]\n");
  EXPECT_EQ(FormulaLines({}, {"P[0][0]", false, {}, {}}, 0, 80),
            "P[0][0]  yours  never stored\n"
            "         right  0\n");
}

TEST(FormulaLines, NamesTheCallAndKeepsWithinTheColumns) {
  const ElementFormula formula{"P[0][0]", true, Products(0, 30), Products(0, 40)};
  const std::string text = FormulaLines({"3 x 41 times 41 x 2", {}, {}}, formula, 6, 80);
  EXPECT_TRUE(text.starts_with("      In another call, with 3 x 41 times 41 x 2:\n")) << text;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(DisplayWidth(line), 80u) << line;
}

}  // namespace
}  // namespace warplings
