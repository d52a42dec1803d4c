// SPDX-License-Identifier: Apache-2.0
// mistake: a column that does not exist is taken to be behind the matrix only in the last row. In a narrow matrix the
//   column may lie so far out that the index passes several rows: width = 3, tile_width = 8, thread tx = 6,
//   ty = 1: 1 * 3 + 6 = 9 is past the last index 8, BEHIND_MATRIX, and OTHER_ELEMENT is returned.
// want: a 3 x 3 matrix under a tile 8 wide: what is the index of row 1, column 6, and how many elements are there?
#include "out_of_range_loads.h"

static Load classify(int row, int col, int width) {
  const bool row_ok = row < width;
  const bool col_ok = col < width;
  if (row_ok && col_ok) return INSIDE;
  if (!row_ok) return BEHIND_MATRIX;  // everything from row `width` on is past the end
  // the row exists, the column does not: we land in the row below, if there is one
  const bool last_row = row == width - 1;
  return last_row ? BEHIND_MATRIX : OTHER_ELEMENT;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads picture = {};
  const int left = bx * tile_width;
  const int top = by * tile_width;
  const int along = phase * tile_width;
  for (int i = 0; i < tile_width * tile_width; ++i) {
    const int ty = i / tile_width;
    const int tx = i - ty * tile_width;
    picture.m[ty][tx] = classify(top + ty, along + tx, width);
    picture.n[ty][tx] = classify(along + ty, left + tx, width);
  }
  return picture;
}
