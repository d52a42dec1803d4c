// SPDX-License-Identifier: Apache-2.0
// mistake: takes it that a column too large always lands in the next row, so that only the last row runs past the end;
//   where the tile is wider than the matrix, it lands several rows further, and earlier rows run past the end too.
// want: width 3, tile_width 8: which index has row 1, column 6? And which is the last of the matrix?
#include "out_of_range_loads.h"

static Load load_of(int row, int col, int width) {
  if (row < width && col < width) return INSIDE;
  if (row >= width) return BEHIND_MATRIX;  // all rows are used up
  // The row is there, the column is too far right: we run on into the next row. The last one has no next.
  const bool last_row = row == width - 1;
  return last_row ? BEHIND_MATRIX : OTHER_ELEMENT;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  for (int ty = 0; ty < tile_width; ++ty) {
    for (int tx = 0; tx < tile_width; ++tx) {
      const int m_row = by * tile_width + ty;
      const int m_col = phase * tile_width + tx;
      loads.m[ty][tx] = load_of(m_row, m_col, width);

      const int n_row = phase * tile_width + ty;
      const int n_col = bx * tile_width + tx;
      loads.n[ty][tx] = load_of(n_row, n_col, width);
    }
  }
  return loads;
}
