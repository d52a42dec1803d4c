// SPDX-License-Identifier: Apache-2.0
// mistake: a missing column counts as past the end only in the last row. Where the tile is wider than the
//   matrix, earlier rows reach past the end too: width 3, tile_width 8, block (0, 0), phase 0: row 1, column 6
//   has index 9, past the last element 8, but is called OTHER_ELEMENT.
// want: Is the last row the only one from which a missing column can reach the end? Try a matrix of width 3
//   under a tile of width 8.
#include "out_of_range_loads.h"

namespace {

Load what(int row, int col, int width) {
  if (row >= width) return BEHIND_MATRIX;  // rows that do not exist come after all others
  if (col < width) return INSIDE;
  // over the right edge: one gets into the next row, if there is a next row
  return row == width - 1 ? BEHIND_MATRIX : OTHER_ELEMENT;
}

}  // namespace

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  const int top = by * tile_width;
  const int left = bx * tile_width;
  const int step = phase * tile_width;
  for (int i = 0; i < tile_width * tile_width; ++i) {
    const int ty = i / tile_width, tx = i % tile_width;
    loads.m[ty][tx] = what(top + ty, step + tx, width);
    loads.n[ty][tx] = what(step + ty, left + tx, width);
  }
  return loads;
}
