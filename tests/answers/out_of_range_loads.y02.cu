// SPDX-License-Identifier: Apache-2.0
// mistake: Rows and columns are kept as short, which ends at 32767, while width goes to 40000: a larger row or column
//   becomes negative and counts as existing. Case: width 40000, tile_width 31 (32 would fit evenly), block
//   (0, 1290), phase 0: ty 10 is row 40000, which does not exist (PAST_THE_END); as a short it is -25536, which is
//   below width, and the answer says INSIDE.
// want: Which is the largest row that the contract allows, and does every variable on its way hold that number?
#include "out_of_range_loads.h"

struct Place {
  short row;
  short col;
};

static Place place(int tile_row, int tile_col, int tile_width, int ty, int tx) {
  Place p;
  p.row = tile_row * tile_width + ty;
  p.col = tile_col * tile_width + tx;
  return p;
}

static Load what(Place p, int width) {
  if (p.row < width && p.col < width) return INSIDE;
  const long long index = (long long)p.row * width + p.col;
  const long long count = (long long)width * width;
  return index >= count ? PAST_THE_END : OTHER_ELEMENT;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  for (int tx = 0; tx < tile_width; tx++) {
    for (int ty = 0; ty < tile_width; ty++) {
      loads.m[ty][tx] = what(place(by, phase, tile_width, ty, tx), width);
      loads.n[ty][tx] = what(place(phase, bx, tile_width, ty, tx), width);
    }
  }
  return loads;
}
