// SPDX-License-Identifier: Apache-2.0
// mistake: the first index past the end, width * width, counts as another element of the matrix: `over > 0` should be
//   `over >= 0`. Width 3, tile 2, block (0, 1), phase 1: thread (1, 0) reads M row 2, column 3, index 9 of 9
//   elements (0 to 8): BEHIND_MATRIX, and the answer is OTHER_ELEMENT. Also row width, column 0.
// want: Which is the last index of a 3 x 3 matrix? What does your function say of row 2, column 3?
#include "out_of_range_loads.h"

static Load load_of(int row, int col, int width) {
  if (row < width && col < width) return INSIDE;
  // how far over the matrix's elements?
  const long long over = static_cast<long long>(row) * width + col - static_cast<long long>(width) * width;
  return over > 0 ? BEHIND_MATRIX : OTHER_ELEMENT;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  const int top = by * tile_width;      // first row of P and M
  const int left = bx * tile_width;     // first column of P and N
  const int walk = phase * tile_width;  // first column of M's tile, first row of N's

  for (int tx = 0; tx < tile_width; ++tx) {
    for (int ty = 0; ty < tile_width; ++ty) {
      loads.m[ty][tx] = load_of(top + ty, walk + tx, width);
      loads.n[ty][tx] = load_of(walk + ty, left + tx, width);
    }
  }
  return loads;
}
