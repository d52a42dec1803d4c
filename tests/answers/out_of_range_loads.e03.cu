// SPDX-License-Identifier: Apache-2.0
// mistake: keeps row and column in shorts. width may be 40000, a short ends at 32767: far rows and columns
//   become negative, are "below width", and missing elements are called INSIDE.
// want: Which is the largest row that your Spot has to hold, according to the header? And which is the
//   largest that its type can hold?

#include "out_of_range_loads.h"

struct Spot {
  short row;
  short col;
};

static Spot spot(int tile_row, int tile_col, int tile_width, int ty, int tx) {
  Spot s;
  s.row = static_cast<short>(tile_row * tile_width + ty);
  s.col = static_cast<short>(tile_col * tile_width + tx);
  return s;
}

static Load look(Spot s, int width) {
  if (s.row < width && s.col < width) return INSIDE;
  const int last = width * width - 1;
  const int index = s.row * width + s.col;
  if (index > last) return PAST_THE_END;
  return OTHER_ELEMENT;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  for (int ty = 0; ty < tile_width; ++ty) {
    for (int tx = 0; tx < tile_width; ++tx) {
      // M: walks to the right with the phases. N: walks down.
      loads.m[ty][tx] = look(spot(by, phase, tile_width, ty, tx), width);
      loads.n[ty][tx] = look(spot(phase, bx, tile_width, ty, tx), width);
    }
  }
  return loads;
}
