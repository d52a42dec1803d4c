// SPDX-License-Identifier: Apache-2.0
// mistake: a column that does not exist is taken to lead into the next row, so that only the last row's threads can get
//   behind the matrix. With a tile wider than the matrix a column may be several rows too far. width = 3, tile_width = 8,
//   block (0, 0), phase 0: m[1][7] has index 1 * 3 + 7 = 10, past the last index 8, BEHIND_MATRIX; the answer says
//   OTHER_ELEMENT. Where columns stay below 2 * width it is right. (Calling every row >= width BEHIND_MATRIX is right.)
// want: Draw width = 3 with tile_width = 8. At which index does thread (7, 1) of block (0, 0) read M in phase 0, and what
//   is the last index?
#include "out_of_range_loads.h"

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  // A row too far down is behind everything. A column too far right is the beginning of the next row, which the last
  // row does not have.
  auto read = [width](int row, int col) -> Load {
    if (row >= width) return BEHIND_MATRIX;
    if (col < width) return INSIDE;
    return row == width - 1 ? BEHIND_MATRIX : OTHER_ELEMENT;
  };

  BlockLoads result;
  // All threads of the block in the order of their number.
  for (int t = 0; t < tile_width * tile_width; ++t) {
    const int tx = t % tile_width;
    const int ty = t / tile_width;
    result.m[ty][tx] = read(by * tile_width + ty, phase * tile_width + tx);
    result.n[ty][tx] = read(phase * tile_width + ty, bx * tile_width + tx);
  }
  return result;
}
