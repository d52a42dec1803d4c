// SPDX-License-Identifier: Apache-2.0
// mistake: bx and by swapped: rows of M are taken from bx and columns of N from by, as if the first block
//   coordinate were the row.
// want: Block (bx, by): which of the two numbers says how far DOWN in P the tile lies? Try the block bx=1, by=0
//   with pencil and paper: its rows are the first ones, its columns the second tile's.
#include "out_of_range_loads.h"

static Load load_of(int row, int col, int width) {
  if (row < width && col < width) return INSIDE;
  // same formula as in the header
  const int index = row * width + col;
  return index <= width * width - 1 ? OTHER_ELEMENT : PAST_THE_END;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  for (int ty = 0; ty < tile_width; ++ty) {
    for (int tx = 0; tx < tile_width; ++tx) {
      // M: the block's rows, and the phase walks to the right
      const int m_row = bx * tile_width + ty;
      const int m_col = phase * tile_width + tx;
      loads.m[ty][tx] = load_of(m_row, m_col, width);

      // N: the phase walks down, the block's columns
      const int n_row = phase * tile_width + ty;
      const int n_col = by * tile_width + tx;
      loads.n[ty][tx] = load_of(n_row, n_col, width);
    }
  }
  return loads;
}
