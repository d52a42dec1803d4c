// SPDX-License-Identifier: Apache-2.0
#include "grader/build/skipped_shuffles.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "grader/messages/findings.h"

namespace warplings {
namespace {

/// The line of the condition; 0: of several; -1: nothing is known. The source begins in line 1.
int Skipped(const std::string& source, int line) {
  const auto skipped = FindSkippedShuffle(source, line);
  return skipped ? skipped->line : -1;
}

std::string Kernel(const std::string& body) {
  return "__global__ void k(int* o, int n) { int v = n;\n" + body + "\n}";
}

constexpr const char* kShuffle = "v += __shfl_down_sync(0xffffffff, v, 8);";

TEST(SkippedShuffles, AConditionAfterWhichTheOthersGoOn) {
  const std::string shuffle = kShuffle;
  EXPECT_EQ(Skipped(Kernel("if (threadIdx.x < 16) {\n" + shuffle + "\n} else {\nv -= 1;\n}\no[0] = v;"), 3),
            2);
  EXPECT_EQ(Skipped(Kernel("if (threadIdx.x < 16)\n" + shuffle + "\no[threadIdx.x] = v;"), 3), 2);
  EXPECT_EQ(
      Skipped(Kernel("if (threadIdx.x < 16)\nfor (int d = 16; d > 0; d /= 2)\n" + shuffle + "\no[0] = v;"),
              4),
      2);
  EXPECT_EQ(Skipped(Kernel("if (n > 3)\nif (threadIdx.x < 16)\n" + shuffle + "\no[0] = v;"), 4), 0)
      << "which?";
}

TEST(SkippedShuffles, AConditionAroundTheCall) {
  const std::string sum =
      "__device__ int sum(int v) {\nfor (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(~0u, v, "
      "d);\nreturn v; }\n";
  EXPECT_EQ(Skipped(sum + Kernel("if (threadIdx.x < 20) v = sum(v);\nif (threadIdx.x == 0) *o = v;"), 2), 5);
  EXPECT_EQ(Skipped(sum + Kernel("if (threadIdx.x < 20) v = sum(v);"), 2), -1) << "the others return";
  EXPECT_EQ(Skipped(sum + Kernel("if (threadIdx.x < 20) v = sum(v);\nv = sum(v); *o = v;"), 2), -1)
      << "two calls";
  EXPECT_EQ(Skipped(sum + Kernel("v = sum(v);\n*o = v;"), 2), -1);
}

TEST(SkippedShuffles, WhatMayHaveAnotherReason) {
  const std::string shuffle = kShuffle;
  for (const std::string& body : std::vector<std::string>{
           "if (threadIdx.x >= 16) return;\n" + shuffle + "\no[0] = v;",
           "if (threadIdx.x >= 16) return;\nif (n > 0) " + shuffle + "\no[0] = v;",
           "if (n > 0) for (int i = threadIdx.x; i < n; i += 32)\n" + shuffle + "\no[0] = v;",
           "if (n > 0) for (int i = 0; i < 4; ++i) {\n" + shuffle + "\nif (v > 3) break; }\no[0] = v;",
           "if (n > 0) while (v)\n" + shuffle + "\no[0] = v;",
           "if (n > 0)\n{ int w = n > 3 && __shfl_down_sync(~0u, v, 8); v += w; }\no[0] = v;",
           "if (threadIdx.x < 16)\n" + shuffle,
           "if (threadIdx.x < 16) {\n" + shuffle + " o[0] = v;\n}\nreturn;",
           "switch (v) { case 1:\n" + shuffle + " }\no[0] = v;",
       })
    EXPECT_EQ(Skipped(Kernel(body), 3), -1) << body;
  EXPECT_EQ(Skipped("", 1), -1);
  EXPECT_EQ(Skipped("}}{{(", 1), -1);
}

TEST(SkippedShuffles, TheFindingBecomesAnErrorThatNamesTheCondition) {
  Finding finding;
  finding.severity = Severity::kWarning;
  finding.where = {"k.cu", 3};
  finding.message = say::shuffle_lacks_lanes(say::lanes_in_range(say::Range(0, 15)), 0, 8, 16);
  const std::string source = Kernel("if (threadIdx.x < 16)\n" + std::string(kShuffle) + "\no[0] = v;");
  Finding returned = finding;
  ExplainSkippedShuffle(returned, Kernel("if (threadIdx.x > 15) return;\n" + std::string(kShuffle)));
  EXPECT_EQ(returned.severity, Severity::kWarning);
  EXPECT_EQ(English(returned.message), English(finding.message));
  ExplainSkippedShuffle(finding, source);
  EXPECT_EQ(finding.severity, Severity::kError);
  EXPECT_EQ(
      English(finding.message),
      "the mask names all 32 lanes, but the condition in line 2 lets only lanes 0 to 15 of warp 0 reach this "
      "shuffle: lane 8 reads the value of lane 16, which is undefined in CUDA");
}

}  // namespace
}  // namespace warplings
