// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the pictures are filled as flat arrays with rows of tile_width entries, but a row of m and n has
//   MAX_TILE_WIDTH (32) of them; right only for tile_width 32 (or 1). Width 5, tile 2, block (2, 2), phase 0: m[1][0]
//   and m[1][1] (row 5) are BEHIND_MATRIX, and stay INSIDE; m[0][2] and m[0][3] get the values. And a block whose
//   tile of P lies inside is taken to load nothing outside, in any phase: width 5, tile 2, block (0, 0), phase 2,
//   thread (1, 0) reads M row 0, column 5: OTHER_ELEMENT, and the answer is INSIDE.
// want: Take width 5, tile 2, block (0, 0), phase 2, and name the column of M that thread (1, 0) reads. Does your
//   function ever get to that thread? (Then: how many entries lie between m[0][0] and m[1][0]?)
#include "out_of_range_loads.h"

static Load load_of(int row, int col, int width) {
  if (row < width && col < width) return INSIDE;
  if (row * width + col < width * width) return OTHER_ELEMENT;
  return BEHIND_MATRIX;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};  // INSIDE everywhere

  // Only blocks at the right and lower edge have anything outside.
  const bool at_edge = (bx + 1) * tile_width > width || (by + 1) * tile_width > width;
  if (!at_edge) return loads;

  Load* m = &loads.m[0][0];
  Load* n = &loads.n[0][0];
  for (int t = 0; t < tile_width * tile_width; ++t) {
    const int ty = t / tile_width;
    const int tx = t % tile_width;
    *m++ = load_of(by * tile_width + ty, phase * tile_width + tx, width);
    *n++ = load_of(phase * tile_width + ty, bx * tile_width + tx, width);
  }
  return loads;
}
