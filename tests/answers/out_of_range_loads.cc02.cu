// SPDX-License-Identifier: Apache-2.0
// mistake: N's picture is stored as n[tx][ty] instead of n[ty][tx]: what is computed for thread (tx, ty) stands at the
//   place of thread (ty, tx). width = 5, tile_width = 4, bx = 1, phase = 0: thread tx = 1, ty = 0 reads
//   N[0][5], OTHER_ELEMENT, which stands in n[1][0]; n[0][1] says INSIDE. The classification by division is right.
// want: for block column 1 of a 5 x 5 matrix, draw N's picture: are whole rows or whole columns of it missing?
#include "out_of_range_loads.h"

// Where does the index lead to? Divide it again and see whether we come back to the same row.
static Load where(long row, long col, long width) {
  const long index = row * width + col;
  if (index >= width * width) return PAST_THE_END;
  return index / width == row ? INSIDE : OTHER_ELEMENT;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};

  // M's tile: rows from the block, columns from the phase
  for (int ty = 0; ty < tile_width; ++ty)
    for (int tx = 0; tx < tile_width; ++tx)
      loads.m[ty][tx] = where(by * tile_width + ty, phase * tile_width + tx, width);

  // N's tile is walked downwards: rows from the phase, columns from the block
  for (int tx = 0; tx < tile_width; ++tx)
    for (int ty = 0; ty < tile_width; ++ty)
      loads.n[tx][ty] = where(phase * tile_width + ty, bx * tile_width + tx, width);

  return loads;
}
