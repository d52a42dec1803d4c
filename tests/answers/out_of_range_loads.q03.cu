// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: bx is taken for the tile row and by for the tile column. width = 40, tile_width = 16, block
//   bx = 2, by = 0, phase 0: m[8][0] is row 8, column 0, INSIDE; the answer looks at row 40 and says PAST_THE_END. And the
//   index width * width, the first behind the matrix, counts as an element of it: width = 17, tile_width = 16,
//   block (0, 0), phase 1: n[1][0] has index 17 * 17 + 0 = 289, PAST_THE_END; the answer says OTHER_ELEMENT.
// want: Two questions. In "block (bx, by)", which of the two counts tiles from left to right? And which index has the last
//   element of a 17 x 17 matrix?
#include "out_of_range_loads.h"

static Load classify(int row, int col, int width) {
  const bool exists = row < width && col < width;
  const int index = row * width + col;  // at most 40031 * 40000 + 40031, an int holds it
  const int size = width * width;
  if (!exists && index > size)
    return PAST_THE_END;
  else if (!exists)
    return OTHER_ELEMENT;
  return INSIDE;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads out = {};
  // Block (bx, by): tile row and tile column, as one writes the element (r, c).
  for (int tx = 0; tx < tile_width; ++tx)
    for (int ty = 0; ty < tile_width; ++ty) {
      const int p_row = bx * tile_width + ty;
      const int p_col = by * tile_width + tx;
      out.m[ty][tx] = classify(p_row, phase * tile_width + tx, width);
      out.n[ty][tx] = classify(phase * tile_width + ty, p_col, width);
    }
  return out;
}
