// SPDX-License-Identifier: Apache-2.0
//
// Chapter 1, boundary checks. Before you write a check, find out which threads need one. This function runs
// on the host and fills in the picture that you would draw by hand: which threads of a block would load an
// element that does not exist? So far it answers that every load is fine.
//
//   ./warplings check out_of_range_loads

#include "out_of_range_loads.h"

// What a read of element (row, col) of a width x width matrix would get.
static Load load_of(int row, int col, int width) {
  // TODO 1: does the element exist? If not, what lies at its index in memory?
  return INSIDE;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  for (int ty = 0; ty < tile_width; ++ty) {
    for (int tx = 0; tx < tile_width; ++tx) {
      // TODO 2: this ignores the block and the phase. Which row and column of M does the thread load?
      const int m_row = ty;
      const int m_col = tx;
      loads.m[ty][tx] = load_of(m_row, m_col, width);

      // TODO 3: the same for N.
      const int n_row = ty;
      const int n_col = tx;
      loads.n[ty][tx] = load_of(n_row, n_col, width);
    }
  }
  return loads;
}
