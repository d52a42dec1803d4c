// SPDX-License-Identifier: Apache-2.0
// differs: nobody asks element by element; each row of the picture is painted in runs (std::fill, std::clamp), and
// the entries that nobody looks at hold a value that is no enumerator at all.

#include <algorithm>
#include <cstring>

#include "out_of_range_loads.h"

static void paint(Load (&picture)[MAX_TILE_WIDTH][MAX_TILE_WIDTH], int tile, int top, int left, int width) {
  std::memset(picture, 0x7b, sizeof picture);  // nobody looks at what stays so
  for (int r = 0; r < tile; ++r) {
    const long long start = 1LL * (top + r) * width + left;
    const long long end_of_memory = 1LL * width * width;
    // How many of this row's indices lie within memory, and how many of those are meant?
    const int in_memory = static_cast<int>(std::clamp(end_of_memory - start, 0LL, 1LL * tile));
    const int meant = top + r < width ? std::clamp(width - left, 0, tile) : 0;
    Load* const row = picture[r];
    std::fill(row, row + tile, PAST_THE_END);
    std::fill(row, row + in_memory, OTHER_ELEMENT);
    std::fill(row, row + meant, INSIDE);
  }
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads;
  paint(loads.m, tile_width, by * tile_width, phase * tile_width, width);
  paint(loads.n, tile_width, phase * tile_width, bx * tile_width, width);
  return loads;
}
