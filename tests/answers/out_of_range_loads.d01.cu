// SPDX-License-Identifier: Apache-2.0
// mistake: a tile that would stick out is pushed back so that it ends with the matrix (its first row or column is at most
//   width - tile_width): where width >= tile_width everything comes out INSIDE, and the last tile's loads are other ones.
// want: width 5, tile_width 4, bx = 1: in which column of N does this block's tile begin? Does the kernel move it?
#include "out_of_range_loads.h"

#include <algorithm>

// Where tile number t begins. The last one must not stick out.
static int origin(int t, int width, int tile_width) {
  return std::max(0, std::min(t * tile_width, width - tile_width));
}

static Load load_of(int row, int col, int width) {
  if (row < width && col < width) return INSIDE;
  return row * width + col < width * width ? OTHER_ELEMENT : PAST_THE_END;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  const int x0 = origin(bx, width, tile_width);
  const int y0 = origin(by, width, tile_width);
  const int k0 = origin(phase, width, tile_width);

  for (int ty = 0; ty < tile_width; ++ty) {
    for (int tx = 0; tx < tile_width; ++tx) {
      loads.m[ty][tx] = load_of(y0 + ty, k0 + tx, width);
      loads.n[ty][tx] = load_of(k0 + ty, x0 + tx, width);
    }
  }
  return loads;
}
