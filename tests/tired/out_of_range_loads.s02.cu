// SPDX-License-Identifier: Apache-2.0
// mistake: A missing column in any row but the last is called OTHER_ELEMENT without looking at the index. Where the
//   tile is wider than the matrix, the index can lie several rows further, past the end: width = 3, tile_width = 8,
//   M[1][6] has index 9, BEHIND_MATRIX. It is right where
//   tile_width <= 2 * width, and for width = 1.
// want: How far to the right of the matrix can a column lie when the tile is much wider than the matrix? Take width 3,
//   tile width 8, row 1, and go from column 3 to column 7: which index is each?
#include "out_of_range_loads.h"

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};

  const auto classify = [width](int r, int c) -> Load {
    if (r >= width) return BEHIND_MATRIX;  // below the matrix comes nothing any more
    if (c < width) return INSIDE;
    // Past the end of a row the next row begins; only the last row has none.
    return r == width - 1 ? BEHIND_MATRIX : OTHER_ELEMENT;
  };

  const int top = by * tile_width;       // of M's tile
  const int left = bx * tile_width;      // of N's tile
  const int along = phase * tile_width;  // M's columns, N's rows
  for (int tx = 0; tx != tile_width; ++tx) {
    for (int ty = 0; ty != tile_width; ++ty) {
      loads.m[ty][tx] = classify(top + ty, along + tx);
      loads.n[ty][tx] = classify(along + ty, left + tx);
    }
  }
  return loads;
}
