// SPDX-License-Identifier: Apache-2.0
// mistake: returns at once with all INSIDE for a block whose tile of P lies wholly in the matrix. Its last phase can
//   still reach past M's last column and N's last row: wrong for inner blocks in the last phase, wherever tile_width
//   does not divide width and width > tile_width. Everything behind the shortcut is right.
// want: Take width 5, tile_width 2, block (0, 0), phase 2. Which columns of M do its threads read? Does your shortcut
//   look at the phase at all?
#include "out_of_range_loads.h"

static Load load_of(int row, int col, int width) {
  if (row < width && col < width) return INSIDE;
  return row * width + col < width * width ? OTHER_ELEMENT : PAST_THE_END;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};

  // only the blocks on the right and at the bottom stick out, the others have nothing to fear
  const int right_end = (bx + 1) * tile_width;
  const int bottom_end = (by + 1) * tile_width;
  if (right_end <= width && bottom_end <= width) return loads;

  for (int ty = 0; ty < tile_width; ++ty) {
    for (int tx = 0; tx < tile_width; ++tx) {
      const int row = by * tile_width + ty;
      const int col = bx * tile_width + tx;
      loads.m[ty][tx] = load_of(row, phase * tile_width + tx, width);
      loads.n[ty][tx] = load_of(phase * tile_width + ty, col, width);
    }
  }
  return loads;
}
