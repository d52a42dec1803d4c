// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the index width * width counts as in the matrix, though the last element has width * width -
//   1: with width = 3, tile_width = 2, the place (2, 3) has index 9 and is said to be OTHER_ELEMENT instead of
//   PAST_THE_END, and so has (3, 0). And N's columns are counted from by instead of bx: with width = 3, tile_width =
//   2, bx = 1, by = 0, phase = 0, N's thread (1, 0) loads column 3, which does not exist, and it says INSIDE. Right
//   for N where bx == by.
// want: What is the index of the last element of a 3 x 3 matrix, and what does your function say of the one after it?
//   Then: which of the two, bx or by, says how far to the right a block stands?
#include "out_of_range_loads.h"

static bool exists(int i, int width) { return i >= 0 && i < width; }

static Load load_of(int row, int col, int width) {
  if (exists(row, width) && exists(col, width)) return INSIDE;
  return row * width + col > width * width ? PAST_THE_END : OTHER_ELEMENT;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  auto global = [tile_width](int tile, int thread) { return tile * tile_width + thread; };
  for (int tx = 0; tx < tile_width; tx++) {
    for (int ty = 0; ty < tile_width; ty++) {
      loads.m[ty][tx] = load_of(global(by, ty), global(phase, tx), width);
      loads.n[ty][tx] = load_of(global(phase, ty), global(by, tx), width);
    }
  }
  return loads;
}
