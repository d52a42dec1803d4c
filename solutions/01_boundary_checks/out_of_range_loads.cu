// SPDX-License-Identifier: Apache-2.0
//
// Chapter 1, boundary checks: the solution. Nothing here asks which phase is the last or which thread owns an
// element of P: whether a load is inside depends on its own row and its own column, and on nothing else.

#include "out_of_range_loads.h"

// What reading (row, col) of a width x width matrix gives.
static Load load_of(int row, int col, int width) {
  if (row < width && col < width) return INSIDE;
  // Memory does not know rows: an index that is small enough finds an element, only not the one that was
  // meant.
  return row * width + col < width * width ? OTHER_ELEMENT : PAST_THE_END;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  for (int ty = 0; ty < tile_width; ++ty) {
    for (int tx = 0; tx < tile_width; ++tx) {
      // The tile of M stays in the block's rows and moves right from phase to phase.
      const int m_row = by * tile_width + ty;
      const int m_col = phase * tile_width + tx;
      loads.m[ty][tx] = load_of(m_row, m_col, width);

      // The tile of N stays in the block's columns and moves down.
      const int n_row = phase * tile_width + ty;
      const int n_col = bx * tile_width + tx;
      loads.n[ty][tx] = load_of(n_row, n_col, width);
    }
  }
  return loads;
}
