// SPDX-License-Identifier: Apache-2.0
// mistake: to the right of the matrix only the last row is taken to end behind it. With a width below half a tile a
//   column far to the right of an earlier row lies behind the last element, too (width 3, row 1, column 6: index 9).
// want: Work out the index for width 3, row 1 and column 6. A column may be more than one row too far: compare the index
//   with width * width, instead of asking for the last row.
#include "out_of_range_loads.h"

static Load where(int r, int c, int w) {
  if (r >= w) return BEHIND_MATRIX;  // below the last row there is nothing
  if (c < w) return INSIDE;
  // right of the matrix: that is the beginning of the following row, if there is one
  return r == w - 1 ? BEHIND_MATRIX : OTHER_ELEMENT;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  const int top = by * tile_width;       // first row of the P tile
  const int left = bx * tile_width;      // first column of the P tile
  const int along = phase * tile_width;  // how far the phase has walked

  for (int ty = 0; ty < tile_width; ++ty) {
    for (int tx = 0; tx < tile_width; ++tx) {
      loads.m[ty][tx] = where(top + ty, along + tx, width);
      loads.n[ty][tx] = where(along + ty, left + tx, width);
    }
  }
  return loads;
}
