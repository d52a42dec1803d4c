// SPDX-License-Identifier: Apache-2.0
#include "grader/build/output_stores.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

std::optional<OutputStores> StoresIn(const std::string& body) {
  return FindOutputStores("__global__ void f(float* P, int n) {\n" + body + "\n}\n", "P");
}

TEST(OutputStores, OneForEachThread) {
  EXPECT_EQ(StoresIn("for (int i = 0; i < n; ++i) sum += P[i];\nif (row < n) P[row] = sum;"), OutputStores{});
  EXPECT_EQ(StoresIn("P[row * n + col] += sum;"), OutputStores{});
}

TEST(OutputStores, TheLoopAroundThem) {
  EXPECT_EQ(
      StoresIn("if (all) {\n  for (int c = 0; c < 4; ++c) P[row + c] = sum[c];\n} else P[row] = sum[0];"),
      OutputStores{3});
  EXPECT_EQ(StoresIn("P[0] = 0;\nwhile (more) {\n  P[row] = sum;\n}"), OutputStores{3});
}

/// A store through another pointer, or a second one, may be in any number.
TEST(OutputStores, NothingIsCertain) {
  EXPECT_FALSE(StoresIn("float* to = P + row;\n*to = sum;"));
  EXPECT_FALSE(StoresIn("P[row] = sum;\nP[row + 1] = more;"));
  EXPECT_FALSE(StoresIn("if (P[row] == sum) return;"));
}

TEST(OutputStores, ALoopThatAlwaysRunsAsOften) {
  const auto loop = [](const std::string& body, const std::string& before = "") {
    const auto found =
        FindFixedLoop(before + "__global__ void k(float* C, int n, int coarse_factor) {\n" + body + "\n}\n",
                      "C", "coarse_factor");
    return found ? std::to_string(found->line) + " " + found->variable + " " + std::to_string(found->passes)
                 : "";
  };
  EXPECT_EQ(loop("for (int c = 0; c < 4; ++c) {\n  if (i < n) C[i] = 1;\n}"), "2 c 4");
  EXPECT_EQ(loop("for (int c = 0; c < FACTOR; c++) C[c] = 1;", "constexpr int FACTOR = 2;\n"), "3 c 2");
  for (const char* other :
       {"for (int c = 0; c < coarse_factor; ++c) C[c] = 1;", "for (int c = 1; c < 4; ++c) C[c] = 1;",
        "for (int c = 0; c < 4; c += 2) C[c] = 1;",
        "for (int c = 0; c < 4; ++c) { if (c == n) break; C[c] = 1; }",
        "for (int c = 0; c < 4; ++c) { C[c] = 1; ++c; }",
        "while (n > 0) { for (int c = 0; c < 4; ++c) C[c] = 1; }",
        "for (int c = 0; c < 4; ++c) C[c] = 1;\nC[n] = 2;", "C[n] = 1;"}) {
    EXPECT_EQ(loop(other), "") << other;
  }
  EXPECT_FALSE(FindFixedLoop("__global__ void k(float* C) { for (int c = 0; c < 4; ++c) C[c] = 1; }", "C",
                             "coarse_factor"));
}

TEST(OutputStores, AConditionOnTheColumnThatAsksForAnotherSide) {
  const auto guard = [](const std::string& body) {
    const auto found = FindOtherSideGuard(
        "__global__ void f(float* P, int j, int k, int l) {\n" + body + "\n}\n", "P", "k", "l");
    return found ? std::to_string(found->line) + " " + found->column : "";
  };
  const std::string store = "P[row * l + col] = sum;";
  EXPECT_EQ(guard("if (row < j && col < k) {\n" + store + "\n}"), "2 col");
  EXPECT_EQ(guard("if (row < j && col < k) " + store), "2 col");
  EXPECT_EQ(guard("\nif (row >= j || col >= k) return;\n" + store), "3 col");
  EXPECT_EQ(guard("if (row < j && col < l) " + store), "");
  EXPECT_EQ(guard("if (col < l) {\nif (col < k) x = 1;\n" + store + "}"), "");
  EXPECT_EQ(guard("if (col < l && col < k) " + store), "");
  EXPECT_EQ(guard("if (col < k) x = N[col];\n" + store), "") << "another statement's";
  EXPECT_EQ(guard("if (row < j && col < k) P[row * k + col] = sum;"), "");
}

}  // namespace
}  // namespace warplings
