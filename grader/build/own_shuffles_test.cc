// SPDX-License-Identifier: Apache-2.0
#include "grader/build/own_shuffles.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

/// "LINE DISTANCE", and of a group "LINE DISTANCE FARTHEST/GROUP".
std::string ShuffleIn(const std::string& body, const std::string& head = "") {
  const auto found = FindOwnShuffle(head + "__device__ int f(int v) {\n" + body + "\nreturn v;\n}\n");
  if (!found) return "";
  return std::to_string(found->line) + " " + found->distance +
         (found->group == 0 ? ""
                            : " " + std::to_string(found->farthest) + "/" + std::to_string(found->group));
}

TEST(OwnShuffles, AScanWithoutACondition) {
  EXPECT_EQ(ShuffleIn("for (int d = 1; d < 32; d *= 2)\nv += __shfl_up_sync(~0u, v, d);"), "3 d");
  EXPECT_EQ(ShuffleIn("for (int d = 1; d < 32; d *= 2) {\nv = v + __shfl_up_sync(~0u, v, d); }"), "3 d");
  EXPECT_EQ(ShuffleIn("v += __shfl_up_sync(~0u, v, 1 << k);"), "2 1 << k");
}

TEST(OwnShuffles, AScanWithOne) {
  EXPECT_EQ(
      ShuffleIn(
          "for (int d = 1; d < 32; d *= 2) {\nint n = __shfl_up_sync(~0u, v, d);\nif (lane >= d) v += n; }"),
      "");
  EXPECT_EQ(ShuffleIn("if (lane > 0)\nv += __shfl_up_sync(~0u, v, 1);"), "");
  EXPECT_EQ(ShuffleIn("v += lane >= d ? __shfl_up_sync(~0u, v, d) : 0;"), "");
  EXPECT_EQ(ShuffleIn("v += __shfl_up_sync(~0u, v, d) * (lane >= d);"), "");
  EXPECT_EQ(ShuffleIn("v += __shfl_up_sync(~0u, w, d);"), "") << "it is another value";
}

TEST(OwnShuffles, AGroupThatIsTooSmall) {
  const std::string halves = "for (int d = 16; d > 0; d >>= 1)\nv += __shfl_down_sync(~0u, v, d, ";
  EXPECT_EQ(ShuffleIn(halves + "16);"), "3 d 16/16");
  EXPECT_EQ(ShuffleIn(halves + "HALF);", "#define HALF 16\n"), "4 d 16/16");
  EXPECT_EQ(ShuffleIn(halves + "32);"), "");
  EXPECT_EQ(ShuffleIn(halves + "width);"), "") << "nobody knows";
  EXPECT_EQ(ShuffleIn("for (int d = 32 / 2; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d, 8);"),
            "2 d 16/8");
  EXPECT_EQ(ShuffleIn("for (int d = 32; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);"), "2 d 32/32");
  EXPECT_EQ(ShuffleIn("v += __shfl_down_sync(~0u, v, 2, 4);\nv += __shfl_down_sync(~0u, v, 1, 4);"), "");
}

TEST(OwnShuffles, HalfASource) {
  for (const char* source :
       {"", "v += __shfl_up_sync(", "void f() { v += __shfl_up_sync(",
        "void f() { v += __shfl_up_sync(1, v, 2)", "void f() { v += __shfl_down_sync(,,,); }"})
    EXPECT_FALSE(FindOwnShuffle(source)) << source;
}

TEST(OwnShuffles, ALoopEndsBeforeNeighboursMeet) {
  const auto line = [](const std::string& header, const std::string& call = "__shfl_down_sync(m, v, d)") {
    const auto found = FindShortShuffle("__global__ void k(float* x) {\nfor (int d = 16; " + header +
                                        ") v += " + call + ";\n}");
    return found ? std::to_string(found->line) + found->distance : "";
  };
  EXPECT_EQ(line("d > 1; d >>= 1"), "2d");
  EXPECT_EQ(line("d >= 2; d /= 2", "__shfl_xor_sync(m, v, d)"), "2d");
  EXPECT_EQ(line("d > 0; d >>= 1"), "");
  EXPECT_EQ(line("d >= 1; d /= 2"), "");
  EXPECT_EQ(line("d > 1; d >>= 1", "s[t + d]"), "") << "no shuffle";
  EXPECT_EQ(line("d > 1; d >>= 1", "__shfl_down_sync(m, v, 1)"), "") << "another distance";
}

}  // namespace
}  // namespace warplings
