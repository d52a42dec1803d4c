// SPDX-License-Identifier: Apache-2.0
// mistake: A missing element whose index is exactly width * width is called OTHER_ELEMENT; the last element has index
//   width * width - 1. With width = 1 and tile_width = 2, thread (1, 0) reads M[0][1], index 1: past the end. With
//   width = 3 and tile_width = 2, block (0, 1), phase 1: M[2][3] has index 9. All else is right.
// want: Draw a matrix of width 1. Which indices does it have, and what does your function say of index 1?
#include "out_of_range_loads.h"

namespace {

struct Place {
  int row, col;
};

Load what_is_at(Place p, int width) {
  const int index = p.row * width + p.col;
  const int end = width * width;
  // Inside: if the index, taken apart again, gives the place that we came from.
  if (index < end && index / width == p.row && index % width == p.col) return INSIDE;
  return index > end ? BEHIND_MATRIX : OTHER_ELEMENT;
}

}  // namespace

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  for (int t = 0; t < tile_width * tile_width; ++t) {
    const int tx = t % tile_width;
    const int ty = t / tile_width;
    const Place m = {by * tile_width + ty, phase * tile_width + tx};
    const Place n = {phase * tile_width + ty, bx * tile_width + tx};
    loads.m[ty][tx] = what_is_at(m, width);
    loads.n[ty][tx] = what_is_at(n, width);
  }
  return loads;
}
