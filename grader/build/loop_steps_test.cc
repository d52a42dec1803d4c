// SPDX-License-Identifier: Apache-2.0
#include "grader/build/loop_steps.h"

#include <gtest/gtest.h>

#include <string>

namespace warplings {
namespace {

std::optional<LoopOfSteps> LoopIn(const std::string& body, int line = 0) {
  return FindLoopOfSteps("constexpr int STEP = 4, TILE = 16;\n__global__ void f(int n) {\n" + body + "\n}\n",
                         line);
}

TEST(LoopsOfSteps, SeveralInEachPass) {
  EXPECT_EQ(LoopIn("for (int k = 0; k + 1 < n; k += 2) s += x[k] + x[k + 1];"), (LoopOfSteps{3, 2}));
  EXPECT_EQ(LoopIn("for (int p = 0; p < n; p += 16) {\n__syncthreads();\nfor (int k = 0; k < n; k += STEP)\n"
                   "s += x[k]; }"),
            (LoopOfSteps{5, 4}));
  EXPECT_EQ(
      LoopIn("for (int k = 0; k < n; k += 2)\nx[k] = 0;\nfor (int k = 0; k < n; k += 4)\ns += x[k];", 6),
      (LoopOfSteps{5, 4}));
}

TEST(LoopsOfSteps, OtherLoops) {
  EXPECT_FALSE(LoopIn("for (int k = 0; k < n; ++k) s += x[k];"));
  EXPECT_FALSE(LoopIn("for (int k = 0; k < n; k += 1) s += x[k];"));
  EXPECT_FALSE(LoopIn("for (int k = 0; k < n; k += blockDim.x) s += x[k];"));
  EXPECT_FALSE(LoopIn("for (int k = 0; k < n; k += 256) s += x[k];"));
  EXPECT_FALSE(LoopIn("for (;;) s += 2;"));
  EXPECT_FALSE(LoopIn("for (int k = 0; k < n; k += 2) a();\nfor (int k = 0; k < n; k += 2) b();"))
      << "which of the two?";
}

TEST(LoopSteps, ALoopThatLeavesOutItsLastPass) {
  const auto found = FindLoopThatEndsEarly("for (int i = 0; i + 4 < k; i += 4) {", "k");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->condition, "i + 4 < k");
  EXPECT_EQ(found->right, "i + 4 <= k");
  EXPECT_EQ(found->steps, 4);
  EXPECT_FALSE(FindLoopThatEndsEarly("for (int i = 0; i + 4 <= k; i += 4) {", "k"));
  EXPECT_FALSE(FindLoopThatEndsEarly("for (int i = 0; i + 3 < k; i += 4) {", "k"));
  EXPECT_FALSE(FindLoopThatEndsEarly("for (int i = 0; i + 4 < n; i += 4) {", "k"));
}

TEST(LoopSteps, ARestThatBeginsAtTheNumberOfPasses) {
  const std::string rest = "for (int i = fours; i < k; ++i) {";
  const auto found = FindRestThatBeginsEarly("int fours = k / 4;\n" + rest, "k");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->line, 2);
  EXPECT_EQ(found->right, "4 * fours");
  EXPECT_FALSE(FindRestThatBeginsEarly("int fours = k / 4 * 4;\n" + rest, "k"));
  EXPECT_FALSE(FindRestThatBeginsEarly("int fours = n / 4;\n" + rest, "k"));
}

}  // namespace
}  // namespace warplings
