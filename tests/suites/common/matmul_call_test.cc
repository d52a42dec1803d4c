// SPDX-License-Identifier: Apache-2.0
#include "tests/suites/common/matmul_call.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace warplings {
namespace {

/// Row 1 of P where what M lacks beyond its last column is taken from elsewhere, and multiplied by 0.
/// `element_for`: the column of M that stands in the tile's column `x` in the last phase; negative: 0 stands
/// there.
std::vector<float> RowOneOf(const MatmulShape& shape, const MatmulInputs& inputs, int tile,
                            const std::function<int(int x)>& element_for) {
  std::vector<float> row(static_cast<std::size_t>(shape.columns));
  const int phases = (shape.inner + tile - 1) / tile;
  for (int column = 0; column < shape.columns; ++column) {
    float& sum = row[static_cast<std::size_t>(column)];
    for (int i = 0; i < phases * tile; ++i) {
      const int of_m = i < shape.inner ? i : element_for(i % tile);
      const float n = i < shape.inner ? inputs.n[static_cast<std::size_t>(i * shape.columns + column)] : 0;
      sum += (of_m < 0 ? 0 : inputs.m[static_cast<std::size_t>(shape.inner + of_m)]) * n;
    }
  }
  return row;
}

MatmulInputs Ones(const MatmulShape& shape) {
  MatmulInputs inputs{std::vector<float>(shape.m_count(), 1), std::vector<float>(shape.n_count(), -1)};
  PutInfinities(shape, inputs);
  return inputs;
}

/// The shapes of the suites.
constexpr MatmulShape kShapes[] = {{35, 35, 35}, {19, 33, 21}, {19, 19, 19}};

TEST(PutInfinitiesTest, RowOneIsInfiniteForWhoLeavesOutWhatIsNotThere) {
  for (const MatmulShape& shape : kShapes) {
    const MatmulInputs inputs = Ones(shape);
    for (const int tile : {1, 8, 16, 32}) {
      for (const float sum : RowOneOf(shape, inputs, tile, [](int) { return -1; })) {
        EXPECT_EQ(sum, std::numeric_limits<float>::infinity());
      }
    }
  }
}

TEST(PutInfinitiesTest, RowOneIsNoNumberForWhoMultipliesSomethingElseByZero) {
  for (const MatmulShape& shape : kShapes) {
    const MatmulInputs inputs = Ones(shape);
    for (const int tile : {8, 16, 32}) {
      const int in_last = shape.inner % tile, before = shape.inner - in_last - tile;
      const std::pair<const char*, std::function<int(int)>> kinds[] = {
          {"the last column again", [&](int) { return shape.inner - 1; }},
          {"the row from its beginning", [&](int x) { return (x - in_last) % shape.inner; }},
          {"the tile of the phase before", [&](int x) { return before < 0 ? 0 : before + x; }}};
      for (const auto& [what, element_for] : kinds) {
        for (const float sum : RowOneOf(shape, inputs, tile, element_for)) {
          EXPECT_TRUE(std::isnan(sum)) << what << ", tile " << tile << ", inner " << shape.inner;
        }
      }
    }
  }
}

}  // namespace
}  // namespace warplings
