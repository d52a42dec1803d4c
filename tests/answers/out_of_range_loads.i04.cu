// SPDX-License-Identifier: Apache-2.0
// mistake: two. The matrix's end is counted in bytes (4 * width * width), the place that is read in elements: what
//   lies behind the matrix is called OTHER_ELEMENT, unless its index is four times too large. And N's column is taken
//   from by instead of bx: wrong for blocks with bx != by, where one of the two sticks out.
// want: How many elements has a 3 x 3 matrix, and to what do you compare the index 9? Then: in which direction do
//   blocks lie side by side in P, and which of N's columns does block (1, 0) need?
#include "out_of_range_loads.h"

struct Corner {
  int row;
  int col;
};

static Load load_of(int row, int col, int width) {
  const long long end = (long long)sizeof(float) * width * width;  // the end of the array
  const long long place = (long long)row * width + col;
  if (row < width && col < width) return INSIDE;
  return place < end ? OTHER_ELEMENT : PAST_THE_END;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  // upper left corners of both tiles
  const Corner m = {by * tile_width, phase * tile_width};
  const Corner n = {phase * tile_width, by * tile_width};

  for (int ty = 0; ty < tile_width; ++ty) {
    for (int tx = 0; tx < tile_width; ++tx) {
      loads.m[ty][tx] = load_of(m.row + ty, m.col + tx, width);
      loads.n[ty][tx] = load_of(n.row + ty, n.col + tx, width);
    }
  }
  return loads;
}
