// SPDX-License-Identifier: Apache-2.0
// mistake: N's picture is made as the mirror of M's: (row, col) of N is classified as (col, row). Whether an
//   element exists is symmetric, but what lies at its index is not. Width 5, tile_width 4, block (1, 0), phase
//   0: thread tx = 1, ty = 0 reads N's row 0, column 5, index 5, OTHER_ELEMENT; the answer classifies (5, 0),
//   index 25, and says PAST_THE_END. M is right everywhere, and all INSIDE.
// want: N's element in row 0 and column 5 of a 5 x 5 matrix: at which index is it? And the one in row 5 and
//   column 0?
#include "out_of_range_loads.h"

static Load load_of(int row, int col, int width) {
  if (row < width && col < width) return INSIDE;
  return row * width + col < width * width ? OTHER_ELEMENT : PAST_THE_END;
}

// One tile that begins at (top, left) of a matrix.
template <typename Store>
static void tile_picture(int top, int left, int width, int tile_width, Store store) {
  for (int a = 0; a < tile_width; ++a)
    for (int b = 0; b < tile_width; ++b) store(a, b, load_of(top + a, left + b, width));
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  const int k0 = phase * tile_width;

  // M: the tile row of the block, walking to the right
  tile_picture(by * tile_width, k0, width, tile_width,
               [&](int a, int b, Load what) { loads.m[a][b] = what; });

  // N is the same thing mirrored: the tile column of the block, walking down
  tile_picture(bx * tile_width, k0, width, tile_width,
               [&](int a, int b, Load what) { loads.n[b][a] = what; });
  return loads;
}
