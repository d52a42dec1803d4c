// SPDX-License-Identifier: Apache-2.0
// mistake: 1. N's two lines are copied from M's: the phase moves N's columns, and by its rows; it should move N's
//   rows, and bx its columns. 2. Off by one at the end: index == width * width is still taken for an element.
// want: In which direction does the phase walk in N? Down its rows; write down where the tile of N begins in
//   phase 1. (Then: the last element has index width * width - 1.)
#include "out_of_range_loads.h"

static Load load_of(int row, int col, int width) {
  Load what = INSIDE;
  if (row >= width || col >= width) {
    int idx = row * width + col;
    if (idx > width * width)
      what = PAST_THE_END;
    else
      what = OTHER_ELEMENT;
  }
  return what;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  for (int ty = 0; ty < tile_width; ++ty) {
    for (int tx = 0; tx < tile_width; ++tx) {
      const int m_row = by * tile_width + ty;
      const int m_col = phase * tile_width + tx;
      loads.m[ty][tx] = load_of(m_row, m_col, width);

      const int n_row = by * tile_width + ty;
      const int n_col = phase * tile_width + tx;
      loads.n[ty][tx] = load_of(n_row, n_col, width);
    }
  }
  return loads;
}
