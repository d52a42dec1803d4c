// SPDX-License-Identifier: Apache-2.0
// mistake: a column that does not exist is taken for the start of the next row, so only the last row is said to
//   reach past the end. Where the tile is wider than the matrix, a column can be two or more widths out, and an
//   earlier row leaves the matrix too: (row 0, column 4) of a 2 x 2 matrix is BEHIND_MATRIX, not OTHER_ELEMENT.
// want: Draw a 2 x 2 matrix and a tile of width 8: which index does the thread with tx = 5 in the first row
//   read, and how many elements are there? Does the column always run over into just the next row?

#include "out_of_range_loads.h"

// A row too many: always behind the matrix. A column too many: the next row begins there, unless there is none.
static Load load_of(int row, int col, int width) {
  if (row >= width) return BEHIND_MATRIX;
  if (col >= width) {
    const bool has_next_row = row + 1 < width;
    return has_next_row ? OTHER_ELEMENT : BEHIND_MATRIX;
  }
  return INSIDE;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};

  const int row0 = by * tile_width;
  const int col0 = bx * tile_width;
  const int k0 = phase * tile_width;

  for (int ty = 0; ty < tile_width; ++ty) {
    for (int tx = 0; tx < tile_width; ++tx) {
      loads.m[ty][tx] = load_of(row0 + ty, k0 + tx, width);
      loads.n[ty][tx] = load_of(k0 + ty, col0 + tx, width);
    }
  }
  return loads;
}
