// SPDX-License-Identifier: Apache-2.0
// mistake: a column that does not exist is always called OTHER_ELEMENT as long as the row exists. In the last
//   row there is no element behind it: with width 3 and tile_width 2, block (0, 1), phase 1, thread (1, 0)
//   reads M's row 2, column 3: index 9, past the last (8), so PAST_THE_END. (With a small width also higher
//   up: width 5, tile_width 32, row 0, column 31 has index 31 > 24.)
// want: take a row that exists and a column that does not. What lies at that index in the first row, and what
//   in the last one?
#include "out_of_range_loads.h"

namespace {

// below the matrix -> memory behind it; right of the matrix -> the next row
Load look(int row, int col, int width) {
  if (row >= width) return PAST_THE_END;
  return col < width ? INSIDE : OTHER_ELEMENT;
}

}  // namespace

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads{};
  const int top = by * tile_width, left = bx * tile_width, along = phase * tile_width;
  for (int tx = 0; tx < tile_width; tx++)
    for (int ty = 0; ty < tile_width; ty++) {
      loads.m[ty][tx] = look(top + ty, along + tx, width);
      loads.n[ty][tx] = look(along + ty, left + tx, width);
    }
  return loads;
}
