// SPDX-License-Identifier: Apache-2.0
#include "grader/build/last_phases.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

/// "LINE TEXT".
std::string RemainderIn(const std::string& body, std::int64_t tile = 32) {
  const auto found = FindRemainder("#define TILE 32\n__global__ void f(int width) {\n" + body + "\n}\n",
                                   {"width", "k"}, tile);
  return found ? std::to_string(found->line) + " " + found->text : "";
}

TEST(Remainders, WhatIsLeftForTheLastTile) {
  EXPECT_EQ(RemainderIn("const int last = width % TILE;"), "3 width % TILE");
  EXPECT_EQ(RemainderIn("const int steps =\n  p + 1 < phases ? 32 : width % 32;"), "4 width % 32");
  EXPECT_EQ(RemainderIn("int steps = p == phases - 1 ? k % TILE : TILE;"), "3 k % TILE");
}

TEST(Remainders, OtherRemainders) {
  EXPECT_EQ(RemainderIn("const int last = width % TILE;", 16), "") << "another tile";
  EXPECT_EQ(RemainderIn("const int x = t % TILE;"), "") << "no side";
  EXPECT_EQ(RemainderIn("const bool fits = width % TILE == 0;"), "");
  EXPECT_EQ(RemainderIn("const int end = (TILE - width % TILE) % TILE;"), "");
  EXPECT_EQ(RemainderIn("int a = width % TILE;\nint b = width % TILE;"), "") << "which of the two?";
}

}  // namespace
}  // namespace warplings
