// SPDX-License-Identifier: Apache-2.0
// mistake: works from the index alone and takes a load for wrapped only if its column is left of the tile's
//   first column. The first tile column begins at 0, nothing is left of that: where width < tile_width,
//   loads that run into the next row are called INSIDE.
// want: You recognise a wrapped load by its landing left of the tile. Which tile has nothing to its left, and
//   can a load of that tile run over the end of its row? Try width 5 with tile_width 8.

#include "out_of_range_loads.h"

// A load goes wrong in two ways: past the end of the memory, or over the end of its row into the next
// row. In the second case it comes out at the left border, left of where the tile begins.
static Load what_is_at(int index, int first_col, int width) {
  if (index >= width * width) return PAST_THE_END;
  const int real_col = index % width;
  return real_col < first_col ? OTHER_ELEMENT : INSIDE;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};

  const int m_first_row = by * tile_width;
  const int m_first_col = phase * tile_width;
  const int n_first_row = phase * tile_width;
  const int n_first_col = bx * tile_width;

  for (int ty = 0; ty < tile_width; ++ty) {
    int m_index = (m_first_row + ty) * width + m_first_col;
    int n_index = (n_first_row + ty) * width + n_first_col;
    for (int tx = 0; tx < tile_width; ++tx) {
      loads.m[ty][tx] = what_is_at(m_index++, m_first_col, width);
      loads.n[ty][tx] = what_is_at(n_index++, n_first_col, width);
    }
  }
  return loads;
}
