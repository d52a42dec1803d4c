// SPDX-License-Identifier: Apache-2.0
#include "grader/build/source_places.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

using Extents = std::map<std::string, std::vector<std::int64_t>>;

TEST(SharedExtents, OfArraysWithSeveralDimensions) {
  EXPECT_EQ(
      SharedExtents("#define TILE 16\n__global__ void k() {\n  __shared__ float a[TILE][TILE + 1], b[4];\n"
                    "  __shared__ unsigned int c[2][3][4]; __shared__ volatile int d[2 * TILE - 4 * 2][1];\n"
                    "  // __shared__ float e[2][2];\n}"),
      (Extents{{"a", {16, 17}}, {"c", {2, 3, 4}}, {"d", {24, 1}}}));
}

TEST(SharedExtents, NoneInDoubt) {
  for (const char* source :
       {"extern __shared__ float a[];", "__shared__ float a[N][N];", "__shared__ float4 a[4][4];",
        "__shared__ double a[4][4];", "__shared__ float a[(4)][4];", "__shared__ T a[4][4];",
        "__shared__ float a[2][2]; } { __shared__ float a[4][4];", "__shared__ float a[2][2] = 3;",
        "__shared__", "__shared__ float", "__shared__ float a[", "__shared__ float a[2][2",
        "__shared__ float a[0][2];", "__shared__ float a[2][99999999999999999999];"}) {
    EXPECT_TRUE(SharedExtents(source).empty()) << source;
  }
}

TEST(IndexPastRow, IsSeenInTheLoopThatMakesIt) {
  const std::string kernel =
      "#define TILE 32\n#define R 2\n__global__ void k(const float* in) {\n"
      "  __shared__ float tile[TILE][TILE];\n"
      "  for (int r = threadIdx.y; r < TILE + 2 * R; r += TILE)\n"
      "    for (int c = threadIdx.x; c < TILE + 2 * R; c += TILE)\n";
  const auto past = FindIndexPastRow(kernel + "      tile[r][c] = in[c];\n}\n", 7, "tile");
  ASSERT_TRUE(past);
  EXPECT_EQ(past->index, "c");
  EXPECT_EQ(past->extent, "32");
  EXPECT_EQ(past->most, "35");
  EXPECT_FALSE(FindIndexPastRow(kernel + "      tile[r][c] = in[c];\n}\n", 6, "tile")) << "another line";
  EXPECT_FALSE(FindIndexPastRow(kernel + "      tile[r][c + 1] = in[c];\n}\n", 7, "tile")) << "a sum";
  EXPECT_FALSE(FindIndexPastRow(kernel + "      tile[r][c] = in[c];\n  if (c < n) c = 1;\n}\n", 7, "tile"));
  EXPECT_FALSE(FindIndexPastRow(kernel + "      tile[r][c] = in[c];\n  if (c < 3) c = 1;\n}\n", 7, "tile"));
  EXPECT_FALSE(
      FindIndexPastRow("__shared__ float t[8][8];\nfor (int c = 0; c < 8; ++c)\n  t[1][c] = 2;\n", 3, "t"));
}

TEST(IndexPastRow, ByTheRemainderOfADivision) {
  const auto told = [](const std::string& access, int line = 4) {
    const auto past = FindIndexPastRow(
        "#define TILE 16\n#define TW (TILE + 2 * kRadius)\n"
        "__shared__ float tile[TILE][TILE];\n" +
            access + "\n",
        line, "tile");
    return past ? past->index + ": " + past->extent + ", " + past->most : "";
  };
  EXPECT_EQ(told("tile[q / TW][q % TW] = 0;"), "q % TW: TILE, TW - 1");
  EXPECT_EQ(told("const int r = q / TW, c = q % TW;\ntile[r][c] = 0;", 5), "c: TILE, TW - 1");
  EXPECT_EQ(told("tile[q / 20][q % 20] = 0;"), "q % 20: 16, 19");
  EXPECT_EQ(told("tile[q / TILE][q % TILE] = 0;"), "");
  EXPECT_EQ(told("int c = q % TW; c = 0;\ntile[r][c] = 0;", 5), "") << "it has another value";
  EXPECT_EQ(told("int c = q % TW - 1;\ntile[r][c] = 0;", 5), "");
}

TEST(IndexPastRow, ByANumberOfTheHeader) {
  const auto most = [](const std::string& macro, const std::string& bound) {
    const auto past = FindIndexPastRow(macro + "\n__shared__ float tile[TILE][TILE];\nfor (int c = 0; c < " +
                                           bound + "; ++c)\n  tile[r][c] = 0;\n",
                                       4, "tile");
    return past ? past->extent + ", " + past->most : "";
  };
  EXPECT_EQ(most("#define TILE 32", "TILE + 2 * kRadius"), "TILE, TILE + 2 * kRadius - 1");
  EXPECT_EQ(most("#define LOADED (2 * kRadius + TILE)", "LOADED"), "TILE, LOADED - 1");
  EXPECT_EQ(most("constexpr int LOADED = TILE + 2 * kRadius;", "LOADED"), "TILE, LOADED - 1");
  for (const char* bound : {"TILE", "kRadius", "TILE - kRadius + kLess", "2 * TILE_OF_ALL", "2 * TILE"})
    EXPECT_EQ(most("", bound), "") << bound;
}

TEST(PaddedArrays, RowsWithPadding) {
  const auto padded = PaddedArrays(
      "#define TK 32\n__shared__ float a[16][TK + 1], b[4][33]; __shared__ int c[3][8 + 2];\n"
      "int d[2][2 + 1]; __shared__ float e[4 + 1][4];");
  ASSERT_EQ(padded.size(), 2u);
  EXPECT_EQ(padded.at("a").columns, 32);
  EXPECT_EQ(padded.at("a").extent, 33);
  EXPECT_EQ(padded.at("c").columns, 8);
  EXPECT_EQ(padded.at("c").extent, 10);
}

TEST(HasSubscripts, OfAnArrayInALine) {
  EXPECT_TRUE(HasSubscripts("\ns += a[t[0]][i];", 2, "a"));
  EXPECT_FALSE(HasSubscripts("\ns += a[0] + b[1][1];", 2, "a"));
  EXPECT_FALSE(HasSubscripts("a[0][1];\ns += m[i];", 2, "a"));
  EXPECT_FALSE(HasSubscripts("a[", 1, "a"));
}

TEST(Subscripts, CountAlongTheLastDimensionFirst) {
  EXPECT_EQ(Subscripts(16, {16, 16}), "[1][0]");
  EXPECT_EQ(Subscripts(461, {32, 32}), "[14][13]");
  EXPECT_EQ(Subscripts(23, {2, 3, 4}), "[1][2][3]");
  EXPECT_EQ(Subscripts(24, {2, 3, 4}), std::nullopt);
  EXPECT_EQ(Subscripts(-1, {2, 3}), std::nullopt);
}

/// "condition 3", "return 2", "break 3"; "" if the text does not tell.
std::string Why(const std::string& body, int line) {
  const auto missed = WhyMissed("__global__ void k(int* a, int n) {\n" + body + "\n}\n", line);
  if (!missed) return "";
  const std::string why = missed->why == MissedBarrier::Why::kCondition ? "condition"
                          : missed->why == MissedBarrier::Why::kReturn  ? "return"
                                                                        : missed->jump;
  return why + " " + std::to_string(missed->line);
}

TEST(WhyMissed, AJumpPastItInALoop) {
  EXPECT_EQ(Why("for (;;) {\nif (t >= n) break;\n__syncthreads();\n}", 4), "break 3");
  EXPECT_EQ(Why("for (;;) {\nif (t >= n) { a[t] = 1;\ncontinue; }\n__syncthreads();\n}", 5), "continue 4");
  EXPECT_EQ(Why("for (;;) {\n__syncthreads();\nif (t >= n) break;\n}", 3), "break 4") << "in the next pass";
  EXPECT_EQ(Why("for (;;) {\n__syncthreads();\nif (t >= n) continue;\n}", 3), "");
  EXPECT_EQ(Why("for (;;) if (t > n) break;\n__syncthreads();", 3), "") << "of another loop";
  EXPECT_EQ(Why("for (;;) {\nif (t >= n) break;\nif (t < m) __syncthreads();\n}", 4), "") << "which of them?";
  EXPECT_EQ(Why("for (;;) {\nswitch (t) { case 1: break; }\n__syncthreads();\n}", 4), "");
}

TEST(WhyMissed, AConditionOrAReturn) {
  EXPECT_EQ(Why("if (t < n)\n{ a[t] = 1;\n__syncthreads(); }", 4), "condition 2");
  EXPECT_EQ(Why("if (t >= n) {\nreturn;\n}\n__syncthreads();", 5), "return 3");
  EXPECT_EQ(Why("for (;;) {\nif (t < n) __syncthreads();\n}", 3), "condition 3");
  EXPECT_EQ(Why("if (a) {\nif (b) {\n__syncthreads(); } }", 4), "") << "which of the two?";
  EXPECT_EQ(Why("if (t >= n) return;\nif (a) {\n__syncthreads(); }", 4), "");
  EXPECT_EQ(Why("__syncthreads();\nif (t >= n) return;", 2), "") << "it returns later";
  EXPECT_EQ(Why("a[0] = 1;\nreturn;", 2), "");
  EXPECT_EQ(WhyMissed("__syncthreads();", 1), std::nullopt);
  EXPECT_EQ(WhyMissed("", 1), std::nullopt);
}

std::string LoopOf(const std::string& body, int first, int second) {
  const auto loop = LoopAround("void f() {\n" + body + "\n}\nvoid g() {\nx[0] = 1;\n}", first, second);
  return loop ? std::to_string(loop->line) + " " + loop->variable : "";
}

TEST(SourcePlaces, WhatLetsAThreadComeToALine) {
  const auto passage = [](const std::string& body, int line) {
    const auto found = PassageTo("__global__ void k() {\n" + body + "\n}", line);
    return found ? std::to_string(found->line) + " " + found->variable : "";
  };
  EXPECT_EQ(passage("for (int s = 8; s > 0; s /= 2) {\nif (t <= s)\na[t] += a[t + s];\n}", 4), "3 ");
  EXPECT_EQ(passage("for (int i = 0; i <= 16; ++i)\nsum += a[ty][i];", 3), "2 i");
  EXPECT_EQ(passage("if (row < n) {\nfor (int i = 0; i <= 16; ++i) sum += a[row][i]; }", 3), "3 i");
  EXPECT_EQ(passage("for (int i = 0; i <= 16; ++i) {\nif (last) sum += a[ty][i]; }", 3), "2 i")
      << "a condition on something else";
  EXPECT_EQ(passage("for (int s = 8; s > 0; s /= 2)\nsum += a[t + s];", 3), "")
      << "where it begins is wrong, not how far it goes";
  EXPECT_EQ(passage("while (b > 0)\nsum += a[t];", 3), "");
  EXPECT_EQ(passage("sum += a[t];", 2), "");
  const std::string two = "void k() {\nfor (int c = 0; c < 8; ++c) tile[t * 8 + c] += sums[t - 1];\n}";
  EXPECT_FALSE(PassageTo(two, 2, "sums"));
  EXPECT_TRUE(PassageTo(two, 2, "tile"));
}

TEST(SourcePlaces, TheLoopAroundTwoLines) {
  const std::string nested =
      "for (int p = 0; p < n; ++p) {\nfor (c = 0; c < 4; ++c)\nt[c] = a;\nfor (int k = 0; k < 9; ++k) {\n"
      "s += t[k];\nr += t[k]; } }";
  EXPECT_EQ(LoopOf(nested, 4, 6), "2 p");
  EXPECT_EQ(LoopOf(nested, 6, 7), "5 k");
  EXPECT_EQ(LoopOf(nested, 4, 4), "3 c");
  EXPECT_EQ(LoopOf(nested, 4, 10), "") << "it is in another function";
  EXPECT_EQ(LoopOf("while (n > 0) {\nt[0] = a; }", 3, 3), "2 ");
  EXPECT_EQ(LoopOf("t[0] = a;", 2, 2), "");
}

}  // namespace
}  // namespace warplings
