// SPDX-License-Identifier: Apache-2.0
// mistake: decides by which coordinate is out of range (column too large: always OTHER_ELEMENT) and never
//   computes the index; in the last row a column that is too large lies behind the matrix.
// want: What index does (width-1, width) have, and what is the last index of the matrix? Compare the index, not
//   the coordinate, to tell OTHER_ELEMENT from PAST_THE_END.
#include "out_of_range_loads.h"

static Load load_of(int row, int col, int width) {
  if (row >= width) {
    return PAST_THE_END;  // below the matrix, nothing comes after the last row
  }
  if (col >= width) {
    return OTHER_ELEMENT;  // right of the matrix: row by row, so the next row starts here
  }
  return INSIDE;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  const int row0 = by * tile_width;
  const int col0 = bx * tile_width;
  const int k0 = phase * tile_width;
  for (int ty = 0; ty < tile_width; ++ty) {
    for (int tx = 0; tx < tile_width; ++tx) {
      loads.m[ty][tx] = load_of(row0 + ty, k0 + tx, width);
      loads.n[ty][tx] = load_of(k0 + ty, col0 + tx, width);
    }
  }
  return loads;
}
