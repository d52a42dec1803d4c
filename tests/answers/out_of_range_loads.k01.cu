// SPDX-License-Identifier: Apache-2.0
// mistake: computes the index first and takes row and column back out of it (index / width, index % width). A column
//   got this way is always below width: a thread past the end of a row looks as if it were INSIDE in the next one.
// want: Row 0, column 3 of a 3 x 3 matrix: which index is that, and which row and column do you get back from it?
#include "out_of_range_loads.h"

// What lies at this index?
static Load at(int index, int width) {
  const int row = index / width;
  const int col = index % width;
  if (row < width && col < width) return INSIDE;
  if (index < width * width) return OTHER_ELEMENT;
  return PAST_THE_END;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  for (int ty = 0; ty < tile_width; ++ty) {
    for (int tx = 0; tx < tile_width; ++tx) {
      // M: the tiles walk to the right, N: they walk down
      const int m_index = (by * tile_width + ty) * width + phase * tile_width + tx;
      const int n_index = (phase * tile_width + ty) * width + bx * tile_width + tx;
      loads.m[ty][tx] = at(m_index, width);
      loads.n[ty][tx] = at(n_index, width);
    }
  }
  return loads;
}
