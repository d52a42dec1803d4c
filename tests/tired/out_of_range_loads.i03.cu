// SPDX-License-Identifier: Apache-2.0
// mistake: decides OTHER_ELEMENT or BEHIND_MATRIX by the row alone: the last row and those below are BEHIND, all
//   rows above it OTHER. A column that lies two or more widths to the right is past the end from a higher row too:
//   wrong where width is 2 or more and 2 * width < tile_width, for instance width 2, tile_width 8. Right for larger
//   widths.
// want: Write the indices that the threads of row 0 read with width 2 and tile_width 8. Which is the last one that
//   the matrix has? You assume that a column too far always lands in the very next row.
#include "out_of_range_loads.h"

// A load past the end of a row lands in the next row. Only the last row has no next one.
static Load classify(int row, int col, int width) {
  const bool row_ok = row < width;
  const bool col_ok = col < width;
  if (row_ok && col_ok) return INSIDE;
  if (!row_ok) return BEHIND_MATRIX;
  if (row == width - 1) return BEHIND_MATRIX;
  return OTHER_ELEMENT;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  const int p0 = phase * tile_width;
  const int x0 = bx * tile_width;
  const int y0 = by * tile_width;
  int ty = 0;
  while (ty < tile_width) {
    for (int tx = 0; tx < tile_width; tx++) {
      loads.m[ty][tx] = classify(y0 + ty, p0 + tx, width);
      loads.n[ty][tx] = classify(p0 + ty, x0 + tx, width);
    }
    ty++;
  }
  return loads;
}
