// SPDX-License-Identifier: Apache-2.0
// mistake: (1) threads that own no element of P are skipped, so their loads stay INSIDE (value 0), although they
//   load for the others, too. (2) index <= width * width: index width * width, one past the last element, is
//   called OTHER_ELEMENT.
// want: which threads load? All of the block, whether or not they own an element of P; look at the entries of
//   a thread with row >= width in the first phase, and then at the largest valid index.
#include "out_of_range_loads.h"

static Load load_of(int row, int col, int width) {
  const int index = row * width + col;
  if (row < width && col < width) return INSIDE;
  return index <= width * width ? OTHER_ELEMENT : PAST_THE_END;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  for (int ty = 0; ty < tile_width; ++ty) {
    const int row = by * tile_width + ty;
    const int n_row = phase * tile_width + ty;
    for (int tx = 0; tx < tile_width; ++tx) {
      const int col = bx * tile_width + tx;
      const int m_col = phase * tile_width + tx;
      // Only threads with an element of P take part.
      if (row >= width || col >= width) continue;
      loads.m[ty][tx] = load_of(row, m_col, width);
      loads.n[ty][tx] = load_of(n_row, col, width);
    }
  }
  return loads;
}
