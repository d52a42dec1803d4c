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

}  // namespace
}  // namespace warplings
