// SPDX-License-Identifier: Apache-2.0
// mistake: a column that does not exist is said to be OTHER_ELEMENT in every row but the last. That holds only while
//   the index stays in the matrix: with width = 2, tile_width = 8, the place (0, 5) has index 5, and the last element
//   has 3: BEHIND_MATRIX. Wrong only where a column lies width or more past the right edge, which takes width >= 2 and
//   tile_width > 2 * width; all larger widths are right. A row that does not exist always lies behind: that is right.
// want: "In the next row" is a good picture. How far past the right edge can a thread be if the matrix is very narrow?
//   Draw width 2 with a tile of 8.
#include "out_of_range_loads.h"

// Without the index: think of where one lands.
static Load load_of(int row, int col, int width) {
  // below the matrix: there is nothing any more
  if (row >= width) return BEHIND_MATRIX;
  if (col < width) return INSIDE;
  // right of the matrix: that is the beginning of the next row, if there is a next row
  const bool last_row = row == width - 1;
  return last_row ? BEHIND_MATRIX : OTHER_ELEMENT;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  const int row0 = by * tile_width;
  const int col0 = bx * tile_width;
  const int k0 = phase * tile_width;
  for (int y = 0; y < tile_width; ++y) {
    for (int x = 0; x < tile_width; ++x) {
      loads.m[y][x] = load_of(row0 + y, k0 + x, width);
      loads.n[y][x] = load_of(k0 + y, col0 + x, width);
    }
  }
  return loads;
}
