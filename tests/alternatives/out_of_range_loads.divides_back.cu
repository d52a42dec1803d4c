// SPDX-License-Identifier: Apache-2.0
// differs: no comparison of row or column with width; an index is turned back into (row, column) by division
// and compared with what was meant. 64-bit arithmetic, Windows line ends.

#include <cstdint>

#include "out_of_range_loads.h"

namespace {

Load judge(std::int64_t row, std::int64_t column, std::int64_t width) {
  const std::int64_t index = row * width + column;
  const bool in_memory = index < width * width;
  if (!in_memory) return Load::PAST_THE_END;
  const bool same_place = index / width == row && index % width == column;
  return same_place ? Load::INSIDE : Load::OTHER_ELEMENT;
}

}  // namespace

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads picture{};
  for (int place = 0; place != tile_width * tile_width; ++place) {
    const int ty = place / tile_width, tx = place % tile_width;
    picture.m[ty][tx] = judge(std::int64_t{by} * tile_width + ty, std::int64_t{phase} * tile_width + tx, width);
    picture.n[ty][tx] = judge(std::int64_t{phase} * tile_width + ty, std::int64_t{bx} * tile_width + tx, width);
  }
  return picture;
}
