// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: a block that lies wholly inside P is said to load only existing elements in every phase; in
//   the last phase it does not: width = 5, tile_width = 4, block (0, 0), phase 1: M[0][5] is missing. And N's picture is
//   taken as the mirror image of M's, with by in place of bx; yet N's block column is bx, and what is right of a matrix
//   differs from what is below it: width = 3, tile_width = 2, block (1, 1), phase 0: thread (1, 0) reads N[0][3],
//   index 3, OTHER_ELEMENT; the mirror says PAST_THE_END.
// want: Draw width 5 and tile width 4. Which columns of M does block (0, 0) load in phase 0, and which in phase 1?
#include "out_of_range_loads.h"

static Load load_of(int row, int col, int width) {
  if (row < width && col < width)
    return INSIDE;
  else if (row * width + col < width * width)
    return OTHER_ELEMENT;
  else
    return PAST_THE_END;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};  // everything INSIDE

  // A block that does not stick out of the matrix has nothing to worry about.
  if ((bx + 1) * tile_width <= width && (by + 1) * tile_width <= width) return loads;

  for (int ty = 0; ty < tile_width; ++ty)
    for (int tx = 0; tx < tile_width; ++tx)
      loads.m[ty][tx] = load_of(by * tile_width + ty, phase * tile_width + tx, width);

  // M goes along its rows as N goes along its columns: the same picture, rows and columns exchanged.
  for (int ty = 0; ty < tile_width; ++ty)
    for (int tx = 0; tx < tile_width; ++tx) loads.n[ty][tx] = loads.m[tx][ty];

  return loads;
}
