// SPDX-License-Identifier: Apache-2.0
// mistake: takes for granted that a column past the end leads behind the matrix only in the last row. Where the tile is
//   wider than the matrix, a column can lie so far to the right that other rows lead behind it too (width 2, row 0,
//   column 4: index 4, but the last element has 3).
// want: A 2 x 2 matrix and a tile 8 wide: which index has row 0, column 4? What is the matrix's last index?
#include "out_of_range_loads.h"

static Load load_of(int row, int col, int width) {
  // under the matrix: there is nothing any more
  if (row >= width) return BEHIND_MATRIX;
  if (col < width) return INSIDE;
  // too far right: we land in the next row, and the last row has no next one
  if (row == width - 1) return BEHIND_MATRIX;
  return OTHER_ELEMENT;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  for (int ty = 0; ty < tile_width; ++ty) {
    for (int tx = 0; tx < tile_width; ++tx) {
      loads.m[ty][tx] = load_of(by * tile_width + ty, phase * tile_width + tx, width);
      loads.n[ty][tx] = load_of(phase * tile_width + ty, bx * tile_width + tx, width);
    }
  }
  return loads;
}
