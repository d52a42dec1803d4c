// SPDX-License-Identifier: Apache-2.0
#include "reference/scan.h"

#include <gtest/gtest.h>

namespace warplings::reference {
namespace {

using Ints = std::vector<int>;

TEST(ScanTest, EachSumHasItsOwnElement) {
  EXPECT_EQ(Scan(Ints{3, -1, 4, 1, -5}), (Ints{3, 2, 6, 7, 2}));
}

TEST(ScanTest, SumsMayBeginAnew) {
  EXPECT_EQ(Scan(Ints{3, -1, 4, 1, -5}, 2), (Ints{3, 2, 4, 5, -5}));
}

TEST(ScanTest, OfNothingThereIsNoSum) {
  EXPECT_EQ(Scan(Ints{}), Ints{});
}

}  // namespace
}  // namespace warplings::reference
