// SPDX-License-Identifier: Apache-2.0
#include "reference/merge.h"

#include <gtest/gtest.h>

namespace warplings::reference {
namespace {

using Ints = std::vector<int>;

TEST(MergeTest, ElementsOfBothInOrder) {
  EXPECT_EQ(Merge(Ints{-4, 1, 6}, Ints{-5, 2, 3, 9}), (Ints{-5, -4, 1, 2, 3, 6, 9}));
}

TEST(MergeTest, EqualElementsAllStay) {
  EXPECT_EQ(Merge(Ints{1, 1, 2}, Ints{1, 2}), (Ints{1, 1, 1, 2, 2}));
}

TEST(MergeTest, AnArrayMayBeEmpty) {
  EXPECT_EQ(Merge(Ints{}, Ints{3, 4}), (Ints{3, 4}));
  EXPECT_EQ(Merge(Ints{3, 4}, Ints{}), (Ints{3, 4}));
  EXPECT_EQ(Merge(Ints{}, Ints{}), Ints{});
}

}  // namespace
}  // namespace warplings::reference
