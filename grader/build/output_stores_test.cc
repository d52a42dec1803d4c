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

}  // namespace
}  // namespace warplings
