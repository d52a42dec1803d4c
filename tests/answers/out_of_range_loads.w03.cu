// SPDX-License-Identifier: Apache-2.0
// mistake: The index and the last index are computed as float, which has 24 bits: above 2^24 (width over 4096)
//   they are rounded. Width 40000, tile_width 7, the last block row and phase: row 39999, column 40000 has
//   index 1600000000, one past the last, 1599999999, so PAST_THE_END; as floats both are 1.6e9, and the
//   answer says OTHER_ELEMENT. Small widths are right.
// want: Which whole numbers can a float hold exactly? What is 1599999999 as a float, and what would an int
//   have made of it?
#include "out_of_range_loads.h"

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads;

  // width goes up to 40000, width * width is more than a billion: float, so that nothing overflows
  const float last = (float)width * (float)width - 1.0f;

  auto look = [&](int r, int c) -> Load {
    if (r < width && c < width) return INSIDE;
    const float at = (float)r * (float)width + (float)c;
    if (at > last) return PAST_THE_END;
    return OTHER_ELEMENT;
  };

  // all threads of the block, one after another
  for (int t = 0; t < tile_width * tile_width; t++) {
    int ty = t / tile_width, tx = t - ty * tile_width;
    loads.m[ty][tx] = look(by * tile_width + ty, phase * tile_width + tx);
    loads.n[ty][tx] = look(phase * tile_width + ty, bx * tile_width + tx);
  }
  return loads;
}
