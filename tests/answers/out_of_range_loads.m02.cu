// SPDX-License-Identifier: Apache-2.0
// mistake: the picture is static and only entries that are not INSIDE are written: from the second call on, entries of
//   earlier calls are still in it.
// want: What does the second call find in `picture`? A static variable is set to zero once, when the program starts:
//   write INSIDE as well, or begin each call with an empty picture.
#include "out_of_range_loads.h"

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  // static, so that everything is 0 == INSIDE (and 2 KB need not go onto the stack)
  static BlockLoads picture;

  const int elements = width * width;

  for (int ty = 0; ty < tile_width; ty++) {
    for (int tx = 0; tx < tile_width; tx++) {
      // M: row of the block, column of the phase
      int r = by * tile_width + ty;
      int c = phase * tile_width + tx;
      if (r >= width || c >= width) {
        picture.m[ty][tx] = r * width + c < elements ? OTHER_ELEMENT : PAST_THE_END;
      }

      // N: row of the phase, column of the block
      r = phase * tile_width + ty;
      c = bx * tile_width + tx;
      if (r >= width || c >= width) {
        picture.n[ty][tx] = r * width + c < elements ? OTHER_ELEMENT : PAST_THE_END;
      }
    }
  }
  return picture;
}
