// SPDX-License-Identifier: Apache-2.0
// mistake: M is looked at only in the last phase; in the last tile row, M's rows run out in every phase. width = 5,
//   tile_width = 4, by = 1, phase = 0: thread tx = 0, ty = 1 reads M[5][0], index 25, PAST_THE_END, and the
//   picture says INSIDE. N, for which both the phase and bx are asked, is right.
// want: which two numbers decide where M's tile lies? For each of them: when does the tile stick out of M?
#include "out_of_range_loads.h"

namespace {

Load look(int r, int c, int w) {
  if (r < w && c < w) return INSIDE;
  return r * w + c < w * w ? OTHER_ELEMENT : PAST_THE_END;
}

}  // namespace

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads out = {};  // all INSIDE (0): true for everything that is not at an edge
  const int last = (width - 1) / tile_width;
  const bool m_edge = phase == last;
  const bool n_edge = phase == last || bx == last;

  for (int ty = 0; ty != tile_width; ++ty) {
    for (int tx = 0; tx != tile_width; ++tx) {
      if (m_edge) out.m[ty][tx] = look(by * tile_width + ty, phase * tile_width + tx, width);
      if (n_edge) out.n[ty][tx] = look(phase * tile_width + ty, bx * tile_width + tx, width);
    }
  }
  return out;
}
