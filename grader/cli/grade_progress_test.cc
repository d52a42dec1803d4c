// SPDX-License-Identifier: Apache-2.0
#include "grader/cli/grade_progress.h"

#include <gtest/gtest.h>

namespace warplings {
namespace {

using std::chrono::seconds;

TEST(DescribeProgress, ForetellsFromWhatIsDone) {
  EXPECT_EQ(DescribeProgress(0, 10, seconds(5)), "0 of 10 graded");
  EXPECT_EQ(DescribeProgress(5, 10, seconds(20)), "5 of 10 graded, about 20 s left");
  EXPECT_EQ(DescribeProgress(1, 10, seconds(20)), "1 of 10 graded, about 3 min left");
  EXPECT_EQ(DescribeProgress(1, 1000, seconds(20)), "1 of 1000 graded, about 5 h 33 min left");
  EXPECT_EQ(DescribeProgress(10, 10, seconds(20)), "10 of 10 graded");
}

}  // namespace
}  // namespace warplings
