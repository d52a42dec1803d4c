// SPDX-License-Identifier: Apache-2.0
// mistake: fills the arrays through pointers that walk on by one for each thread: the rows are packed tile_width entries
//   apart, but a row of the arrays has MAX_TILE_WIDTH, so that for tiles below 32 the entries stand at wrong places.
// want: How many entries has a row of m in memory? With tile_width 4, at which place does your pointer write after
//   m[0][3], and where is m[1][0]?
#include "out_of_range_loads.h"

static Load classify(int row, int col, int width) {
  if (row < width && col < width) return INSIDE;
  const int index = row * width + col;
  return index < width * width ? OTHER_ELEMENT : PAST_THE_END;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads result = {};
  Load* m = &result.m[0][0];
  Load* n = &result.n[0][0];

  // one round for each thread of the block, x first
  for (int t = 0; t < tile_width * tile_width; ++t) {
    const int tx = t % tile_width;
    const int ty = t / tile_width;
    *m++ = classify(by * tile_width + ty, phase * tile_width + tx, width);
    *n++ = classify(phase * tile_width + ty, bx * tile_width + tx, width);
  }
  return result;
}
