// SPDX-License-Identifier: Apache-2.0
#include "reference/stencil.h"

#include <gtest/gtest.h>

#include <vector>

namespace warplings::reference {
namespace {

std::vector<float> Numbered(const Grid& grid) {
  std::vector<float> input(grid.Points());
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<float>(i * i);
  return input;
}

TEST(StencilTest, AnInnerPointHasSixNeighbours) {
  const Grid grid{4, 3, 3};
  const std::vector<float> input = Numbered(grid);
  const Bounded output = Stencil(input, grid, {0.5f, 0.25f});
  const std::size_t i = grid.Index(2, 1, 1);
  EXPECT_EQ(i, 18u);
  // 17 and 19, 14 and 22, 6 and 30.
  EXPECT_EQ(output.value[i], 0.5 * 324 + 0.25 * (289 + 361 + 196 + 484 + 36 + 900));
  EXPECT_GT(output.bound[i], 0);
}

TEST(StencilTest, PointsOnFacesAreCopied) {
  const Grid grid{4, 3, 3};
  const std::vector<float> input = Numbered(grid);
  const Bounded output = Stencil(input, grid, {0.5f, 0.25f});
  int inner = 0;
  for (std::size_t z = 0; z < 3; ++z)
    for (std::size_t y = 0; y < 3; ++y)
      for (std::size_t x = 0; x < 4; ++x) {
        const std::size_t i = grid.Index(x, y, z);
        if (grid.IsOnFace(x, y, z)) {
          EXPECT_EQ(output.value[i], input[i]);
          EXPECT_EQ(output.bound[i], 0);
        } else {
          ++inner;
        }
      }
  EXPECT_EQ(inner, 2);
}

TEST(StencilTest, APlaneHasNoInnerPoint) {
  const Grid grid{5, 5, 2};
  const std::vector<float> input = Numbered(grid);
  EXPECT_EQ(Stencil(input, grid, {0.5f, 0.25f}).value, std::vector<double>(input.begin(), input.end()));
}

}  // namespace
}  // namespace warplings::reference
