// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: threadIdx.x is taken for the row.
#include "out_of_range_loads.h"

static Load load_of(int row, int col, int width) {
  if (row < width && col < width) return INSIDE;
  return row * width + col < width * width ? OTHER_ELEMENT : PAST_THE_END;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  for (int ty = 0; ty < tile_width; ++ty) {
    for (int tx = 0; tx < tile_width; ++tx) {
      const int m_row = by * tile_width + tx;
      const int m_col = phase * tile_width + ty;
      loads.m[ty][tx] = load_of(m_row, m_col, width);

      const int n_row = phase * tile_width + tx;
      const int n_col = bx * tile_width + ty;
      loads.n[ty][tx] = load_of(n_row, n_col, width);
    }
  }
  return loads;
}
