// SPDX-License-Identifier: Apache-2.0
// mistake: Where the row exists and the column does not, only the last row is taken to reach behind the matrix.
//   When the matrix is narrower than the tile, the second last row (and earlier ones) reach behind it too.
//   Case: width 3, tile_width 8, block (0, 0), phase 0, ty 1, tx 6: index 1 * 3 + 6 = 9, the last is 8, so
//   PAST_THE_END is right; the answer says OTHER_ELEMENT.
// want: Draw a 3 x 3 matrix under a tile of 8 x 8. At which index does thread (6, 1) read M, and what is the last one?
#include "out_of_range_loads.h"

namespace {

Load look(int row, int col, int width) {
  if (row >= width) return PAST_THE_END;  // below the matrix there is nothing any more
  if (col < width) return INSIDE;
  // to the right of the matrix: memory goes on with the next row, if there is one
  const bool has_next_row = row != width - 1;
  return has_next_row ? OTHER_ELEMENT : PAST_THE_END;
}

void draw(Load (&picture)[MAX_TILE_WIDTH][MAX_TILE_WIDTH], int top, int left, int tile_width, int width) {
  for (int t = 0; t < tile_width * tile_width; ++t) {
    const int ty = t / tile_width;
    const int tx = t % tile_width;
    picture[ty][tx] = look(top + ty, left + tx, width);
  }
}

}  // namespace

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  draw(loads.m, by * tile_width, phase * tile_width, tile_width, width);
  draw(loads.n, phase * tile_width, bx * tile_width, tile_width, width);
  return loads;
}
