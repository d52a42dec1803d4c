// SPDX-License-Identifier: Apache-2.0
// mistake: a column that does not exist is said to hit the next row, unless the row is the last one. That is true only
//   while the tile is not much wider than the matrix; a narrow matrix is jumped over in more than one row. Width 3,
//   tile 8, block (0, 0), phase 0, thread (7, 1): row 1, column 7 has index 10, past the last one (8), so
//   BEHIND_MATRIX; the answer is OTHER_ELEMENT. (A row that does not exist is always behind: that part is right.)
// want: A column past the edge lands in the next row: how far past the edge may it be for that to hold? Take a width
//   of 3 and a tile of 8 and work out the index of row 1, column 7.
#include "out_of_range_loads.h"

static Load load_of(int row, int col, int width) {
  if (row >= width) return BEHIND_MATRIX;  // all rows that exist come before
  if (col < width) return INSIDE;
  // Past the end of a row the next row begins. After the last row there is none.
  return row == width - 1 ? BEHIND_MATRIX : OTHER_ELEMENT;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  for (int ty = 0; ty < tile_width; ++ty) {
    const int m_row = by * tile_width + ty;
    const int n_row = phase * tile_width + ty;
    for (int tx = 0; tx < tile_width; ++tx) {
      const int m_col = phase * tile_width + tx;
      const int n_col = bx * tile_width + tx;
      loads.m[ty][tx] = load_of(m_row, m_col, width);
      loads.n[ty][tx] = load_of(n_row, n_col, width);
    }
  }
  return loads;
}
