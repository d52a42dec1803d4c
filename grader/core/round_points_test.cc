// SPDX-License-Identifier: Apache-2.0
#include "grader/core/round_points.h"

#include <gtest/gtest.h>

#include <cmath>

namespace warplings {
namespace {

TEST(RoundPoints, HalvesGoAwayFromZero) {
  EXPECT_EQ(RoundPoints(1.005), 1.01);
  EXPECT_EQ(RoundPoints(1.0049), 1.0);
  EXPECT_EQ(RoundPoints(2.675), 2.68);
  EXPECT_EQ(RoundPoints(-1.005), -1.01);
  EXPECT_EQ(RoundPoints(0), 0);
  EXPECT_EQ(RoundPoints(-0.001), 0);
  EXPECT_FALSE(std::signbit(RoundPoints(-0.001)));
}

}  // namespace
}  // namespace warplings
