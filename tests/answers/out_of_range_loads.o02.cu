// SPDX-License-Identifier: Apache-2.0
// mistake: the shortcut says INSIDE for everything where the phase and the block's columns lie wholly inside, and does
//   not ask about the block's rows (by). With width = 3, tile_width = 2, bx = 0, by = 1, phase = 0 the threads with ty
//   = 1 load row 3 of M: index 9 and 10, PAST_THE_END; it says INSIDE. Wrong in the lowest blocks, where tile_width
//   does not divide width, for M only. What follows the shortcut is right.
// want: The shortcut asks about two things. On which of bx, by and phase do the rows and columns of M's tile depend,
//   and of N's? Try the lowest block on the left.
#include "out_of_range_loads.h"

// One walk over a tile, for M as for N.
static void draw(Load (&picture)[MAX_TILE_WIDTH][MAX_TILE_WIDTH], int first_row, int first_col, int width,
                 int tile_width) {
  const long long count = (long long)width * width;
  for (int t = 0; t < tile_width * tile_width; ++t) {
    const int ty = t / tile_width;
    const int tx = t % tile_width;
    const int row = first_row + ty;
    const int col = first_col + tx;
    const long long index = (long long)row * width + col;
    Load& load = picture[ty][tx];
    if (index >= count) {
      load = PAST_THE_END;
    } else if (col >= width) {
      load = OTHER_ELEMENT;
    } else {
      load = INSIDE;
    }
  }
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};  // all INSIDE

  // Most blocks are nowhere near the edge.
  if ((phase + 1) * tile_width <= width && (bx + 1) * tile_width <= width) return loads;

  draw(loads.m, by * tile_width, phase * tile_width, width, tile_width);
  draw(loads.n, phase * tile_width, bx * tile_width, width, tile_width);
  return loads;
}
