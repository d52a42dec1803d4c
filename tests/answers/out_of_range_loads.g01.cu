// SPDX-License-Identifier: Apache-2.0
// mistake: the index that is compared is one too large for the limit: `index > width * width` is asked instead of
//   `>=`, so the index width * width itself (row width, column 0, or the last row's column width) is reported as
//   OTHER_ELEMENT although it lies past the last element.
// want: A 3 x 3 matrix has nine elements: which index has the last one, and what does your test say about the
//   place right after it?

#include "out_of_range_loads.h"

namespace {

struct Where {
  int row;
  int col;
};

Load classify(Where w, int width) {
  if (w.row < width && w.col < width) return INSIDE;
  const int index = w.row * width + w.col;
  const int elements = width * width;
  return index > elements ? PAST_THE_END : OTHER_ELEMENT;
}

}  // namespace

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  for (int t = 0; t < tile_width * tile_width; ++t) {
    const int ty = t / tile_width;
    const int tx = t % tile_width;
    const Where m = {by * tile_width + ty, phase * tile_width + tx};
    const Where n = {phase * tile_width + ty, bx * tile_width + tx};
    loads.m[ty][tx] = classify(m, width);
    loads.n[ty][tx] = classify(n, width);
  }
  return loads;
}
