// SPDX-License-Identifier: Apache-2.0
// differs: recursion on the host: a rectangle whose corners say that it is all inside or all behind is filled at
// once, any other is cut into two halves. Alternative tokens (and, or, not), everything in one very long expression where possible.

#include "out_of_range_loads.h"

static void fill(Load (*picture)[MAX_TILE_WIDTH], int top, int left, int width, int r0, int r1, int c0, int c1) {
  if (r0 >= r1 or c0 >= c1) return;
  const bool all_inside = top + r1 - 1 < width and left + c1 - 1 < width;
  const bool all_behind = (top + r0) * static_cast<long long>(width) + left + c0 >= static_cast<long long>(width) * width;
  const bool single = r1 - r0 == 1 and c1 - c0 == 1;
  if (all_inside or all_behind or single) { for (int r = r0; r < r1; ++r) for (int c = c0; c < c1; ++c) picture[r][c] = all_inside ? INSIDE : all_behind ? PAST_THE_END : OTHER_ELEMENT; return; }
  if (r1 - r0 >= c1 - c0) { const int m = (r0 + r1) / 2; fill(picture, top, left, width, r0, m, c0, c1); fill(picture, top, left, width, m, r1, c0, c1); }
  else { const int m = (c0 + c1) / 2; fill(picture, top, left, width, r0, r1, c0, m); fill(picture, top, left, width, r0, r1, m, c1); }
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase)
{
  BlockLoads loads = {};
  fill(loads.m, by * tile_width, phase * tile_width, width, 0, tile_width, 0, tile_width); fill(loads.n, phase * tile_width, bx * tile_width, width, 0, tile_width, 0, tile_width);
  return loads;
}
