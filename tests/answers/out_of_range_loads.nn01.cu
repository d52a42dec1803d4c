// SPDX-License-Identifier: Apache-2.0
// mistake: The check for outside has > width in place of >= width.
// want: A row or column equal to width is outside: > should be >=.

#include "out_of_range_loads.h"

// What a read of element (row, col) of a width x width matrix would get.
static Load load_of(int row, int col, int width) {
  // TODO 1: does the element exist? If not, what lies at its index in memory?
  if (row > width || col > width) return PAST_THE_END;
  return INSIDE;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  for (int ty = 0; ty < tile_width; ++ty) {
    for (int tx = 0; tx < tile_width; ++tx) {
      // TODO 2: this ignores the block and the phase. Which row and column of M does the thread load?
      const int m_row = by * tile_width + ty;
      const int m_col = phase * tile_width + tx;
      loads.m[ty][tx] = load_of(m_row, m_col, width);

      // TODO 3: the same for N.
      const int n_row = phase * tile_width + ty;
      const int n_col = bx * tile_width + tx;
      loads.n[ty][tx] = load_of(n_row, n_col, width);
    }
  }
  return loads;
}
