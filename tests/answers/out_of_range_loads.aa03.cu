// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: index width * width counts as an element of the matrix, although the last one has
//   width * width - 1: width 17, tile_width 16, block (0, 1), phase 1: M's row 16, column 17 has index 289 and is
//   called OTHER_ELEMENT instead of PAST_THE_END. And what thread (tx, ty) reads from N is written to n[tx][ty]
//   instead of n[ty][tx]: width 17, tile_width 16, block (0, 0), phase 1: N's row 16 exists and the rows below do
//   not, so n[0][*] has to be INSIDE; instead n[*][0] is, and the rest of row 0 is not.
// want: Two things: which index has the last element of a 2 x 2 matrix? And where does the header say that the
//   entry of thread (tx, ty) stands in n?
#include "out_of_range_loads.h"

static Load look(int r, int c, int w) {
  const bool exists = r < w && c < w;
  if (exists) return INSIDE;
  const int at = r * w + c;  // at most about 1.6e9, an int is enough
  return at > w * w ? PAST_THE_END : OTHER_ELEMENT;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads out{};
  int tx, ty;
  for (tx = 0; tx != tile_width; ++tx) {
    for (ty = 0; ty != tile_width; ++ty) {
      // M: walks to the right with the phase
      out.m[ty][tx] = look(by * tile_width + ty, phase * tile_width + tx, width);
      // N: walks down with the phase, and its tile is used by columns
      out.n[tx][ty] = look(phase * tile_width + ty, bx * tile_width + tx, width);
    }
  }
  return out;
}
