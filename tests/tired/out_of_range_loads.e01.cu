// SPDX-License-Identifier: Apache-2.0
// mistake: right of the matrix it answers OTHER_ELEMENT in every row but the last. A column can overshoot by
//   more than one row: with tile_width > 2 * width (width 3, tile 32, row 1, column 9) the index is already
//   past the end, and the answer should be BEHIND_MATRIX.
// want: Your rule says that only the last row can run off the end. How far to the right can a tile reach if
//   the matrix is much narrower than the tile? Take width 3, row 1, column 9, and work out the index.

#include "out_of_range_loads.h"

namespace {

// Below the matrix there is nothing any more. Right of it comes the next row, so some other element,
// except after the last row, which has no next one.
Load classify(int r, int c, int w) {
  if (r >= w) return BEHIND_MATRIX;
  if (c < w) return INSIDE;
  return r == w - 1 ? BEHIND_MATRIX : OTHER_ELEMENT;
}

}  // namespace

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads result = {};
  const int p_row0 = by * tile_width;
  const int p_col0 = bx * tile_width;
  const int inner0 = phase * tile_width;

  for (int i = 0; i < tile_width * tile_width; ++i) {
    const int ty = i / tile_width;
    const int tx = i % tile_width;
    result.m[ty][tx] = classify(p_row0 + ty, inner0 + tx, width);
    result.n[ty][tx] = classify(inner0 + ty, p_col0 + tx, width);
  }
  return result;
}
