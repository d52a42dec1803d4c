// SPDX-License-Identifier: Apache-2.0
#include "grader/build/row_lengths.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

std::string Told(const std::string& guard, const std::string& index) {
  const auto found = FindWrongRowLength(
      "__global__ void k(int rows, int columns) {\n" + guard + "\ns = X[" + index + "];\n}\n", 3, "X");
  return found ? found->row + " " + found->used + " " + found->column + " " + found->needed : "";
}

TEST(RowLengths, ARowTimesTheNumberOfRows) {
  const std::string guard = "if (r < rows && c < columns)", told = "r rows c columns";
  EXPECT_EQ(Told(guard, "r * rows + c"), told);
  EXPECT_EQ(Told(guard, "rows * r + c"), told);
  EXPECT_EQ(Told(guard, "c + r * rows"), told);
  EXPECT_EQ(Told("if (r >= rows || columns <= c) return;", "r * rows + c"), told);
}

TEST(RowLengths, WhatMayBeRightIsNotNamed) {
  const std::string guard = "if (r < rows && c < columns)";
  EXPECT_EQ(Told(guard, "r * columns + c"), "");
  EXPECT_EQ(Told(guard, "c * rows + r"), "") << "column by column";
  EXPECT_EQ(Told(guard, "r * rows + c + 1"), "");
  EXPECT_EQ(Told("if (r < width && c < width)", "r * width + c"), "") << "a square";
  EXPECT_EQ(Told("if (r < rows)", "r * rows + c"), "") << "nothing is known of c";
  EXPECT_EQ(Told("if (r < rows && c < 16)", "r * rows + c"), "");
  EXPECT_EQ(Told("if (r < rows && c < columns && c < rows)", "r * rows + c"), "");
  EXPECT_EQ(Told("if (r < rows && c < columns / 2)", "r * rows + c"), "");
  EXPECT_EQ(Told("if (r + 1 < rows && c < columns)", "r * rows + c"), "");
  EXPECT_FALSE(FindWrongRowLength("if (r < rows && c < columns)\nY[r * rows + c]", 2, "X"));
  EXPECT_FALSE(FindWrongRowLength("X[", 1, "X"));
}

TEST(RowLengths, ADivisionByWhichAThreadGetsRowAndColumn) {
  EXPECT_EQ(FindRowDivision("int n = a / j;\nint row = e / j;\nint col = e % j;", "j"), 2);
  EXPECT_EQ(FindRowDivision("int row = e / j, col = f % j;", "j"), std::nullopt);
  EXPECT_EQ(FindRowDivision("int row = e / j, col = e % j;", "l"), std::nullopt);
  EXPECT_EQ(FindRowDivision("(e / ", "j"), std::nullopt);
}

}  // namespace
}  // namespace warplings
