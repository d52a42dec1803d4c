// SPDX-License-Identifier: Apache-2.0
#include "reference/convolution.h"

#include <gtest/gtest.h>

#include <vector>

namespace warplings::reference {
namespace {

/// Each coefficient is a decimal place of its own.
const std::vector<float> kFilter = {1, 2, 3, 4, 5, 6, 7, 8, 9};

TEST(ConvolutionTest, ElementsOutsideCountAsZero) {
  const std::vector<float> input = {1, 10, 100, 1000};
  const Bounded output = Convolution(input, kFilter, {2, 2}, 1);
  // The element itself has coefficient 5, its right neighbour 6, the one below 8, the one below that 9.
  EXPECT_EQ(output.value, (std::vector<double>{5 + 60 + 800 + 9000, 4 + 50 + 700 + 8000, 2 + 30 + 500 + 6000,
                                               1 + 20 + 400 + 5000}));
  for (const double bound : output.bound) EXPECT_GT(bound, 0);
}

TEST(ConvolutionTest, AnInnerElementHasAllCoefficients) {
  const std::vector<float> input = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  EXPECT_EQ(Convolution(input, kFilter, {3, 3}, 1).value[4], 1 + 4 + 9 + 16 + 25 + 36 + 49 + 64 + 81);
}

TEST(ConvolutionTest, AMatrixMayBeSmallerThanTheRadius) {
  const std::vector<float> filter(25, 2);
  const std::vector<float> one = {3}, row = {1, 2};
  EXPECT_EQ(Convolution(one, filter, {1, 1}, 2).value, (std::vector<double>{6}));
  EXPECT_EQ(Convolution(row, filter, {1, 2}, 2).value, (std::vector<double>{6, 6}));
  EXPECT_EQ(Convolution(row, filter, {2, 1}, 2).value, (std::vector<double>{6, 6}));
}

}  // namespace
}  // namespace warplings::reference
