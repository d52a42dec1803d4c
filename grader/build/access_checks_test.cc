// SPDX-License-Identifier: Apache-2.0
#include "grader/build/access_checks.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace warplings {
namespace {

/// "none", or the condition's line, with the comparison that it should have; "" if nothing is known.
std::string CheckOf(const std::string& body, bool is_load = true,
                    const std::string& head = "__global__ void k(int n)") {
  const auto check = CheckOfAccess(head + " {\n" + body + "\n}", 3, is_load, "x");
  if (!check) return "";
  if (check->kind == AccessCheck::Kind::kNone) return "none";
  return std::to_string(check->line) +
         (check->compares.empty() ? "" : " " + check->compares + " " + check->should_compare);
}

TEST(AccessChecks, WhatCouldKeepAThreadFromAnAccess) {
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

TEST(AccessChecks, AMacroMayHaveTheElement) {
  const auto check = CheckOfAccess(
      "#define AT(r, c) x[r * w + c]\n__global__ void k(float* x, int n, int w) { if (m < n && c < w)\n"
      "AT(row, c) = s;\n}",
      3, false, "x");
  ASSERT_TRUE(check);
  EXPECT_EQ(check->line, 2);
  EXPECT_EQ(check->unmentioned, std::vector<std::string>{"row"});
}

TEST(AccessChecks, AnIndexMayBeLimitedToALength) {
  const auto clamp = [](const std::string& line) -> std::string {
    const auto found = FindClampToLength("__global__ void k(float* x, int n) {\n" + line + "\n}", 2);
    return found ? found->written + " | " + found->length : "";
  };
  EXPECT_EQ(clamp("s = x[r * n + min(c, n)];"), "min(c, n) | n");
  EXPECT_EQ(clamp("s = x[min(f(a, b) + 1, n)];"), "min(f(a, b) + 1, n) | n");
  EXPECT_EQ(clamp("s = x[min(c, n - 1)];"), "");
  EXPECT_EQ(clamp("s = x[min(c, T)];"), "") << "T is no length";
  EXPECT_EQ(clamp("s = x[c] * min(c, n);"), "") << "it is no index";
  EXPECT_EQ(clamp("s = x[min(a, n) * n + min(b, n)];"), "") << "which of the two?";
  EXPECT_EQ(clamp("s = min(x[c], n);"), "");
  EXPECT_EQ(clamp("s = x[min(n)]; t = x[min("), "");
}

TEST(AccessChecks, WhatIsZeroInTheFirstThread) {
  const auto names = ZeroInFirstThread(
      "int row = blockIdx.y * TILE + threadIdx.y, tx = threadIdx.x; int t = threadIdx.x * kStep;\n"
      "int next = row + 1; int at = first + threadIdx.x; int second = threadIdx.x + 16; int n = TILE;");
  EXPECT_EQ(names, (std::set<std::string>{"row", "t", "tx"}));
}

TEST(AccessChecks, WhatEveryThreadRuns) {
  const auto runs = [](const std::string& body, const std::string& head = "__global__ void k(int n) {") {
    return EveryThreadRuns(
        "void f() { if (a) b(); }\n" + head + "\n" + body + "\ny[i] = s;\nif (c) d();\n}\n", 4);
  };
  EXPECT_TRUE(runs("int i = threadIdx.x;"));
  EXPECT_TRUE(runs("for (int f = 0; f < kFeatures; ++f) s += x[f * n + i];"));
  EXPECT_FALSE(runs("for (int i = t; i < n; i += 32)")) << "a loop that only some threads begin";
  EXPECT_FALSE(runs("if (i >= n) return;"));
  EXPECT_FALSE(runs("const bool exists = i < n && j < m;")) << "it may be used as a condition";
  EXPECT_FALSE(runs("int i = t;", "__device__ void d(int n) {"));
}

TEST(AccessChecks, WhatAConditionDoesNotMention) {
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

TEST(HasNeighbours, ElementsOfOneArrayInOneLine) {
  const auto has = [](const std::string& line) { return HasNeighbours("int a;\n" + line + "\n", 2); };
  EXPECT_TRUE(has("v = make_float4(from[0], from[1], from[2], from[3]);"));
  EXPECT_FALSE(has("v.x = from[0]; w = to[1];"));
  EXPECT_FALSE(has("v.x = from[i] + from[i + 1];"));
}

/// Comparisons joined so that a thread goes on for which one of them does not hold.
TEST(AccessChecks, ComparisonsThatAreJoinedWithTheWrongOperator) {
  const auto joined = [](const std::string& body) {
    const auto check =
        CheckOfAccess("__global__ void k(float* x, int n, int m) {\n" + body + "\n}", 3, false, "x");
    return check && check->joined ? std::to_string(check->joined->line) + " " + check->joined->written : "";
  };
  EXPECT_EQ(joined("if (row < n || col < m)\nx[row * m + col] = s;"), "2 row < n || col < m");
  EXPECT_EQ(joined("if ((row < n) || (col + c < m))\nx[row * m + col] = s;"), "2 (row < n) || (col + c < m)");
  EXPECT_EQ(joined("if (row >= n && col >= m) return;\nx[row * m + col] = s;"), "2 row >= n && col >= m");
  EXPECT_EQ(joined("if (row < n && col < m)\nx[row * m + col] = s;"), "");
  EXPECT_EQ(joined("if (row >= n || col >= m) return;\nx[row * m + col] = s;"), "");
  EXPECT_EQ(joined("if (threadIdx.x < 2 || threadIdx.y < 2)\nx[row * m + col] = s;"), "") << "no lengths";
  EXPECT_EQ(joined("if (row < n || row < m)\nx[row * m + col] = s;"), "") << "one index";
  EXPECT_EQ(joined("if (row < n || col < m) if (row < n && col < m)\nx[row * m + col] = s;"), "")
      << "another condition checks both";
}

}  // namespace
}  // namespace warplings
