// SPDX-License-Identifier: Apache-2.0
#include "grader/build/row_lengths.h"

#include <gtest/gtest.h>

#include <string>

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

std::string Quotient(const std::string& code) {
  const auto found = FindDivisionByRows(code, "j", {"k", "l"});
  return found ? std::to_string(found->line) + ": " + found->quotient + (found->of_tiles ? ", tiles" : "")
               : "";
}

TEST(RowLengths, ARowThatIsAQuotientByTheNumberOfRows) {
  EXPECT_EQ(Quotient("int row = e / j;\nint col = e % j;\nsum += M[row * k + i];"), "1: e / j");
  EXPECT_EQ(Quotient("int col = e / j;\nint row = e % j;\nsum += M[row * k + i];"), "") << "column by column";
  EXPECT_EQ(Quotient("int row = e / l;\nint col = e % l;\nsum += M[row * k + i];"), "");
  EXPECT_EQ(Quotient("int row = e / j;\nint col = f % j;\nsum += M[row * k + i];"), "");
  EXPECT_EQ(
      Quotient("int across = tiles_for(j);\nint y = blockIdx.x / across;\nint x = blockIdx.x % across;\n"
               "int row = y * W + threadIdx.y;\nP[row * l + col] = 0;"),
      "2: blockIdx.x / across, tiles");
  EXPECT_EQ(
      Quotient("int across = tiles_for(j * l);\nint y = blockIdx.x / across;\nint x = blockIdx.x % across;\n"
               "int row = y * W + threadIdx.y;\nP[row * l + col] = 0;"),
      "");
}

TEST(RowLengths, ANumberOfTilesThatAKernelIsGiven) {
  const auto code = [](const std::string& passed) {
    return "__global__ void kernel(float* P, int l, int down) {\n"
           "int row = blockIdx.x / down * TILE + ty;\nint col = blockIdx.x % down * TILE + tx;\n"
           "P[row * l + col] = 0;\n}\nvoid f(float* P, int j, int l) {\n"
           "int across = (l + TILE - 1) / TILE, down = (j + TILE - 1) / TILE;\n"
           "kernel<<<across * down, TILE * TILE>>>(P, l, " +
           passed + ");\n}";
  };
  EXPECT_EQ(Quotient(code("down")), "2: blockIdx.x / down, tiles");
  EXPECT_EQ(Quotient(code("across")), "") << "it is another one there";
}

TEST(RowLengths, AProductOfAnotherDivisorIsSubtracted) {
  const auto found = FindNoRemainder("int q = b / tiles;\nint r = b - q * TILE;");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->line, 2);
  EXPECT_EQ(found->quotient_line, 1);
  EXPECT_EQ(found->subtracted, "q * TILE");
  EXPECT_EQ(found->divisor, "tiles");
  EXPECT_FALSE(FindNoRemainder("int q = b / tiles;\nint r = b - q * tiles;"));
  EXPECT_FALSE(FindNoRemainder("int q = b / tiles;\nint r = c - q * TILE;"));
  EXPECT_FALSE(FindNoRemainder("int q = b / tiles;\nq = 3;\nint r = b - q * TILE;"));
}

TEST(RowLengths, WhichSideIsAskedForFours) {
  const auto side = [](const std::string& code) {
    const auto found = FindAskedForFours(code, {"j", "k", "l"});
    return found ? std::to_string(found->line) + " " + found->side : "";
  };
  EXPECT_EQ(side("int c = t % 4;\nbool v = k % 4 == 0;"), "2 k");
  EXPECT_EQ(side("bool v = (j & 3) == 0;"), "1 j");
  EXPECT_EQ(side("bool v = k % 4 == 0 && l % 4 == 0;"), "");
  EXPECT_EQ(side("bool v = k % 8 == 0;"), "");
}

TEST(RowLengths, ARowOfAnotherBlock) {
  const std::string row = "int row = blockIdx.y * T + ty;\nint col = blockIdx.x * T + tx;\n";
  const auto variable = [&](const std::string& code) {
    const auto found = FindOtherBlockIndex(row + code + "\nP[row * l + col] = s;", "Mt", "P");
    return found ? std::to_string(found->line) + " " + found->variable : "";
  };
  EXPECT_EQ(variable("int m = blockIdx.x * T + tx;\nt = Mt[i * j + m];"), "3 m");
  EXPECT_EQ(variable("int m = col;\nt = Mt[i * j + m];"), "3 m");
  EXPECT_EQ(variable("int m = blockIdx.y * T + tx;\nt = Mt[i * j + m];"), "");
  EXPECT_EQ(variable("t = Mt[i * j + blockIdx.x * T];"), "");
  EXPECT_EQ(variable("t = Mt[row * j + col];"), "");
}

}  // namespace
}  // namespace warplings
