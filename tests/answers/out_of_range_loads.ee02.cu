// SPDX-License-Identifier: Apache-2.0
// mistake: index width * width is taken for an element of the matrix (> where >= is needed). With width 3 and
//   tile_width 2, block (0, 1), phase 1, thread (1, 0) reads M's row 2, column 3: index 9 = 3 * 3, the first
//   one past the end, but the answer says OTHER_ELEMENT.
// want: what is the index of the last element of a 3 x 3 matrix? Try the index right behind it.
#include "out_of_range_loads.h"

static Load load_of(int row, int col, int width) {
  const bool exists = row < width && col < width;
  if (exists) return INSIDE;

  const long long elements = 1LL * width * width;
  const long long index = 1LL * row * width + col;
  if (index > elements) return PAST_THE_END;
  return OTHER_ELEMENT;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  // thread by thread; the order doesn't matter
  for (int t = 0; t < tile_width * tile_width; ++t) {
    const int ty = t % tile_width;
    const int tx = t / tile_width;
    loads.m[ty][tx] = load_of(by * tile_width + ty, phase * tile_width + tx, width);
    loads.n[ty][tx] = load_of(phase * tile_width + ty, bx * tile_width + tx, width);
  }
  return loads;
}
