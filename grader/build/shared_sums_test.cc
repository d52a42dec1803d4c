// SPDX-License-Identifier: Apache-2.0
#include "grader/build/shared_sums.h"

#include <gtest/gtest.h>

#include <string>

namespace warplings {
namespace {

/// "DECLARED: ADDED ...", "own" behind it; "" if nothing is found.
std::string SumIn(const std::string& body) {
  const auto found = FindSharedSum(
      "__global__ void k(float* P, int n) {\nconst int t = threadIdx.x;\n" + body + "\n}", "sum");
  if (!found) return "";
  std::string text = std::to_string(found->line) + ":";
  for (const int line : found->add_lines) text += " " + std::to_string(line);
  return text + (found->is_own ? " own" : "");
}

TEST(SharedSums, ASumOfEachThreadThatTheBlockShares) {
  EXPECT_EQ(SumIn("const int row = 16 * blockIdx.y + t;\n__shared__ float sum; sum = 0;\n"
                  "for (int i = 0; i < n; ++i)\nsum += a[i] * b[i];\nif (row < n) P[row] = sum;"),
            "4: 6 own");
}

TEST(SharedSums, ASumThatTheBlockMayMeanToShare) {
  const std::string declared = "__shared__ float sum;\n";
  EXPECT_EQ(SumIn(declared + "sum += P[t];\nP[t] = sum;"), "3: 4");
  EXPECT_EQ(SumIn(declared + "for (int i = t; i < n; i += 256) sum += P[i];\nP[t] = sum;"), "3: 4");
  EXPECT_EQ(SumIn(declared + "for (int i = 0; i < n; ++i) sum += P[i];\nP[blockIdx.x] = sum;"), "3: 4");
  EXPECT_EQ(SumIn(declared + "for (int i = 0; i < n; ++i) sum += P[i];\nif (t == 0) P[t] = sum;"), "3: 4");
  EXPECT_EQ(SumIn(declared + "if (t == 0)\nfor (int i = 0; i < n; ++i) sum += P[i];\nP[t] = sum;"), "3: 5");
}

TEST(SharedSums, NothingIsSaidOf) {
  EXPECT_EQ(SumIn("float sum = 0;\nsum += P[t];"), "") << "a thread's own";
  EXPECT_EQ(SumIn("__shared__ float sum[4];\nsum[0] += P[t];"), "") << "an array";
  EXPECT_EQ(SumIn("__shared__ int sum;\natomicAdd(&sum, 1);"), "") << "no plain addition";
  EXPECT_EQ(SumIn("__shared__ int sum;\n{ int sum = 0; sum += t; }"), "") << "declared twice";
}

}  // namespace
}  // namespace warplings
