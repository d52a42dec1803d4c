// SPDX-License-Identifier: Apache-2.0
// mistake: a block whose tile of P lies wholly inside is said to load nothing out of range, whatever the phase
//   is. In the last phase it does: with width 40 and tile_width 16, block (0, 0), phase 2, M's columns are
//   32 to 47 and N's rows too, and 40 to 47 do not exist.
// want: take a block in the upper left corner of a matrix of width 40. Where are its tiles of M and N in its
//   last phase?
#include "out_of_range_loads.h"

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};  // INSIDE everywhere

  // Blocks in the interior need no check at all. Only those at the right or lower border do.
  const bool at_right = (bx + 1) * tile_width > width;
  const bool at_bottom = (by + 1) * tile_width > width;
  if (!at_right && !at_bottom) return loads;

  const int last = width * width - 1;
  auto kind = [=](int r, int c) -> Load {
    if (r < width && c < width) return INSIDE;
    return r * width + c <= last ? OTHER_ELEMENT : BEHIND_MATRIX;
  };

  for (int ty = 0; ty < tile_width; ++ty) {
    for (int tx = 0; tx < tile_width; ++tx) {
      loads.m[ty][tx] = kind(by * tile_width + ty, phase * tile_width + tx);
      loads.n[ty][tx] = kind(phase * tile_width + ty, bx * tile_width + tx);
    }
  }
  return loads;
}
