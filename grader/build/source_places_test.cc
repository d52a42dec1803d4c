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

TEST(Subscripts, CountAlongTheLastDimensionFirst) {
  EXPECT_EQ(Subscripts(16, {16, 16}), "[1][0]");
  EXPECT_EQ(Subscripts(461, {32, 32}), "[14][13]");
  EXPECT_EQ(Subscripts(23, {2, 3, 4}), "[1][2][3]");
  EXPECT_EQ(Subscripts(24, {2, 3, 4}), std::nullopt);
  EXPECT_EQ(Subscripts(-1, {2, 3}), std::nullopt);
}

/// "condition 3", "return 2"; "" if the text does not tell.
std::string Why(const std::string& body, int line) {
  const auto missed = WhyMissed("__global__ void k(int* a, int n) {\n" + body + "\n}\n", line);
  if (!missed) return "";
  return (missed->why == MissedBarrier::Why::kCondition ? "condition " : "return ") +
         std::to_string(missed->line);
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

/// "none", or the condition's line, with the comparison that it should have; "" if nothing is known.
std::string CheckOf(const std::string& body, bool is_load = true,
                    const std::string& head = "__global__ void k(int n)") {
  const auto check = CheckOfAccess(head + " {\n" + body + "\n}", 3, is_load, "x");
  if (!check) return "";
  if (check->kind == AccessCheck::Kind::kNone) return "none";
  return std::to_string(check->line) +
         (check->compares.empty() ? "" : " " + check->compares + " " + check->should_compare);
}

TEST(SourcePlaces, WhatCouldKeepAThreadFromAnAccess) {
  EXPECT_EQ(CheckOf("int i = t;\ns = x[i];"), "none");
  EXPECT_EQ(CheckOf("int i = t;\ns = x[i];", true, "__device__ void d(int n)"), "")
      << "who calls it may check";
  EXPECT_EQ(CheckOf("if (i < n)\ns = x[i];"), "2");
  EXPECT_EQ(CheckOf("if (i <= n)\ns = x[i];"), "2 <= <");
  EXPECT_EQ(CheckOf("if (i > n) { return; }\ns = x[i];"), "2 > >=");
  EXPECT_EQ(CheckOf("if (i > n) a = 1;\ns = x[i];"), "none") << "it keeps nobody away";
  EXPECT_EQ(CheckOf("if (row <= n && col <= m)\ns = x[row];"), "2") << "which of the two?";
  EXPECT_EQ(CheckOf("if (a) s = 1; else\ns = x[i];"), "") << "a may say that the element exists";
  EXPECT_EQ(CheckOf("\ns = i < n ? x[i] : 0;"), "3");
  EXPECT_EQ(CheckOf("\nx[i] = i < n ? 1 : 0;", false), "none");
  EXPECT_EQ(CheckOf("\ns = x[i] > 0 ? x[i] : 0;"), "") << "the condition loads it itself";
  EXPECT_EQ(CheckOf("\ns = x[min(i, n)];"), "");
  EXPECT_EQ(CheckOf("for (int i = t; i < n; i += 32)\ns += x[i];"), "");
  EXPECT_EQ(CheckOf("for (int p = 0; p < n; ++p)\ns += x[i];"), "none");
  EXPECT_EQ(CheckOf("while (i < n)\ns += x[i++];"), "");
  EXPECT_EQ(CheckOf("\na[0] = 1; b[0] = 2;"), "") << "which of the two?";
  EXPECT_EQ(CheckOf("\nwork(x);"), "");
}

/// What of the index of x in line 3 the condition does not mention; "" if it mentions nothing of it.
std::string Unmentioned(const std::string& body, bool is_load = true) {
  const auto check = CheckOfAccess("__global__ void k(int n) {\n" + body + "\n}", 3, is_load, "x");
  if (!check || !check->mentions_any) return "";
  std::string names = "not";
  for (const std::string& name : check->unmentioned) names += " " + name;
  return names;
}

TEST(SourcePlaces, WhatIsZeroInTheFirstThread) {
  const auto names = ZeroInFirstThread(
      "int row = blockIdx.y * TILE + threadIdx.y, tx = threadIdx.x; int t = threadIdx.x * kStep;\n"
      "int next = row + 1; int at = first + threadIdx.x; int second = threadIdx.x + 16; int n = TILE;");
  EXPECT_EQ(names, (std::set<std::string>{"row", "t", "tx"}));
}

TEST(SourcePlaces, WhatAConditionDoesNotMention) {
  EXPECT_EQ(Unmentioned("if (i < n)\ns = x[i] + x[i + kHalf];"), "not kHalf");
  EXPECT_EQ(Unmentioned("if (i < n)\ns = x[i + 16];"), "not + 16");
  EXPECT_EQ(Unmentioned("if (i + 16 < n)\ns = x[i + 16];"), "not");
  EXPECT_EQ(Unmentioned("if (row < n && col < n)\nx[row * n + col + c] = t[q];", false), "not c");
  EXPECT_EQ(Unmentioned("\nt[ty][tx] = col < n ? x[(k0 + ty) * n + col] : 0;"), "not k0 ty");
  EXPECT_EQ(Unmentioned("\nt[ty] = threadIdx.x < n ? x[threadIdx.x + blockIdx.x] : 0;"), "not blockIdx.x");
  EXPECT_EQ(Unmentioned("if (row < n)\ns = a[k] * x[row];"), "not") << "only x is meant";
  EXPECT_EQ(Unmentioned("if (row >= n) return; if (col < m)\ns = x[row * m + col + c];"), "not c");
  EXPECT_EQ(Unmentioned("if (col < m)\ns = x[n * col];"), "not") << "n is a parameter";
  EXPECT_EQ(Unmentioned("if (exists && a < 2) if (b)\ns = x[a + row];"), "") << "b may check the row";
  EXPECT_EQ(Unmentioned("if (row < n)\ns = a[row] * b[row];"), "") << "which of the two?";
  EXPECT_EQ(Unmentioned("if (row < n)\ns = x[at];"), "") << "at may be computed from row";
  EXPECT_EQ(Unmentioned("if (exists)\ns = x[exists + row];"), "") << "a flag says nothing of what it checks";
  EXPECT_EQ(Unmentioned("if (row < n)\ns = x[at(row)];"), "");
  EXPECT_EQ(Unmentioned("if (row < n)\ns = x[y[row]];"), "");
}

}  // namespace
}  // namespace warplings
