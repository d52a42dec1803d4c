// SPDX-License-Identifier: Apache-2.0
// mistake: A column that does not exist is taken to spill into the next row, so that only the last row's spill
//   lies behind the matrix. Where the tile is wider than the matrix, the index can go on by several rows:
//   width 3, tile_width 8, element (1, 7): index 1 * 3 + 7 = 10, past the last index 8, BEHIND_MATRIX; the
//   answer says OTHER_ELEMENT. Right as long as col < 2 * width.
// want: How far past its row's end can a column lie? Take width 3 and tile_width 8, row 1 and column 7, and
//   count the index.
#include "out_of_range_loads.h"

// A column too far to the right runs over into the following row. Only the last row has none after it.
static Load load_of(int row, int col, int width) {
  const bool row_ok = row < width;
  const bool col_ok = col < width;
  if (row_ok && col_ok) return INSIDE;
  if (!row_ok) return BEHIND_MATRIX;
  return row + 1 < width ? OTHER_ELEMENT : BEHIND_MATRIX;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  const int top = by * tile_width;      // M: tile row of the block
  const int left = bx * tile_width;     // N: tile column of the block
  const int step = phase * tile_width;  // where the phase is, along M's row and N's column

  for (int ty = 0; ty < tile_width; ++ty) {
    for (int tx = 0; tx < tile_width; ++tx) {
      loads.m[ty][tx] = load_of(top + ty, step + tx, width);
      loads.n[ty][tx] = load_of(step + ty, left + tx, width);
    }
  }
  return loads;
}
