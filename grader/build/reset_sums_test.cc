// SPDX-License-Identifier: Apache-2.0
#include "grader/build/reset_sums.h"

#include <gtest/gtest.h>

#include <string>

namespace warplings {
namespace {

/// "LINE name in LOOP'S LINE variable"; "" if there is none.
std::string ResetIn(const std::string& body) {
  const auto found = FindResetSum("__global__ void k(float* P, int n) {\n" + body + "\n}");
  return found ? std::to_string(found->line) + " " + found->name + " in " + std::to_string(found->loop_line) +
                     " " + found->loop_variable
               : "";
}

TEST(ResetSums, ASumThatBeginsAnewInEachRound) {
  EXPECT_EQ(
      ResetIn("float sum[4];\nfor (int p = 0; p < n; ++p) {\nfor (int c = 0; c < 4; ++c) sum[c] = 0.0f;\n"
              "for (int c = 0; c < 4; ++c) sum[c] += P[c];\n}\nP[0] = sum[0];"),
      "4 sum in 3 p");
  EXPECT_EQ(ResetIn("float sum = 0;\nfor (int p = 0; p < n; ++p) {\nsum = 0;\nfor (int c = 0; c < 4; ++c) "
                    "sum += P[c];\n}\nP[0] = sum;"),
            "4 sum in 3 p");
}

TEST(ResetSums, ASumThatDoesNotOutliveItsRound) {
  EXPECT_EQ(
      ResetIn("float sum;\nfor (int p = 0; p < n; ++p) { sum = 0; sum += P[p]; P[p] = sum; }\nP[0] = sum;"),
      "")
      << "read in the round";
  EXPECT_EQ(
      ResetIn("float sum[4];\nfor (int c = 0; c < 4; ++c) { sum[c] = 0; sum[c] += P[c]; }\nP[0] = sum[0];"),
      "")
      << "an element of its own";
  EXPECT_EQ(ResetIn("float sum;\nsum = 0;\nfor (int p = 0; p < n; ++p) sum += P[p];\nP[0] = sum;"), "");
  EXPECT_EQ(ResetIn("for (int p = 0; p < n; ++p) { float sum; sum = 0; sum += P[p]; }"), "");
  EXPECT_EQ(
      ResetIn("float sum;\nfor (int r = 0; r < 9; ++r) {\nfor (int p = 0; p < n; ++p) { sum = 0; sum += "
              "P[p]; }\nP[r] = sum; }"),
      "")
      << "a loop around it";
}

}  // namespace
}  // namespace warplings
