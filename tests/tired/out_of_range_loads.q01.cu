// SPDX-License-Identifier: Apache-2.0
// mistake: a block whose tile of P lies wholly in the matrix is said to load nothing that is missing, whatever the phase.
//   In the last phase it does. width = 5, tile_width = 2, block (0, 0), phase 2: m[0][1] is row 0, column 5, which is
//   OTHER_ELEMENT (index 5), and n[1][0] is row 5, column 0, BEHIND_MATRIX (index 25); the answer says INSIDE for both.
// want: Take width = 5, tile_width = 2, block (0, 0), phase 2, and write down the columns of M that its threads read.
#include "out_of_range_loads.h"

static Load look_up(long long r, long long c, long long w) {
  if (r < w && c < w) return INSIDE;
  return r * w + c < w * w ? OTHER_ELEMENT : BEHIND_MATRIX;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads b{};  // zeros, that is INSIDE everywhere

  const int top = by * tile_width;
  const int left = bx * tile_width;
  const int walked = phase * tile_width;

  // Only blocks at the right and at the lower edge stick out of the matrix.
  const bool edge = top + tile_width > width || left + tile_width > width;
  if (!edge) return b;

  for (int y = 0; y != tile_width; ++y) {
    for (int x = 0; x != tile_width; ++x) {
      b.m[y][x] = look_up(top + y, walked + x, width);
      b.n[y][x] = look_up(walked + y, left + x, width);
    }
  }
  return b;
}
