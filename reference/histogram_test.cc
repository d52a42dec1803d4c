// SPDX-License-Identifier: Apache-2.0
#include "reference/histogram.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace warplings::reference {
namespace {

using Ints = std::vector<int>;

TEST(HistogramTest, CountsEachValue) {
  EXPECT_EQ(Histogram(Ints{2, 0, 2, 3, 2}, 5), (Ints{1, 0, 3, 1, 0}));
}

TEST(HistogramTest, WithoutElementsEveryBinIsZero) {
  EXPECT_EQ(Histogram(Ints{}, 3), (Ints{0, 0, 0}));
}

TEST(HistogramTest, RefusesAValueThatIsNoBin) {
  EXPECT_THROW(Histogram(Ints{3}, 3), std::out_of_range);
}

}  // namespace
}  // namespace warplings::reference
