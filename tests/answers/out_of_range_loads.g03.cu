// SPDX-License-Identifier: Apache-2.0
// mistake: (1) the shortcut for inner blocks looks at bx and by only; in the last phase such a block runs out of M's
//   columns and N's rows as well. (2) the picture is static and only faults are written into it, so that the marks
//   of an earlier call stay where this call's loads are INSIDE.
// want: A block in the upper left corner of a 17 x 17 matrix with tile 16: what does it load in phase 1? And then:
//   if the function is called twice, who puts INSIDE back at the places which the first call had marked?

#include "out_of_range_loads.h"

#include <cstring>

static void mark(Load& load, int row, int col, int width) {
  if (row < width && col < width) return;  // nothing to mark
  load = row * width + col < width * width ? OTHER_ELEMENT : PAST_THE_END;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  static BlockLoads loads;  // 2 KB, rather not on the stack

  // Most blocks lie in the middle: nothing can happen there.
  if ((bx + 1) * tile_width <= width && (by + 1) * tile_width <= width) {
    std::memset(&loads, INSIDE, sizeof(loads));
    return loads;
  }

  for (int ty = 0; ty < tile_width; ++ty) {
    for (int tx = 0; tx < tile_width; ++tx) {
      mark(loads.m[ty][tx], by * tile_width + ty, phase * tile_width + tx, width);
      mark(loads.n[ty][tx], phase * tile_width + ty, bx * tile_width + tx, width);
    }
  }
  return loads;
}
