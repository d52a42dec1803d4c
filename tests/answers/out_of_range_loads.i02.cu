// SPDX-License-Identifier: Apache-2.0
// mistake: one loop over tile_width * tile_width threads, but the number is split by MAX_TILE_WIDTH (32) instead of
//   tile_width. For tile_width from 2 to 31 only the first tile_width * tile_width / 32 rows are filled (and part of
//   another); the lower rows stay INSIDE, whatever they read. Right for tile_width 1 and 32.
// want: With tile_width 4 the loop runs 16 times. Which ty does thread number 4 get, and which would it have in a
//   4 x 4 block?
#include "out_of_range_loads.h"

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads picture = {};
  const int count = width * width;  // 40000^2 fits

  auto look = [=](int r, int c) {
    if (r >= width || c >= width) {
      return r * width + c >= count ? PAST_THE_END : OTHER_ELEMENT;
    }
    return INSIDE;
  };

  for (int id = 0; id < tile_width * tile_width; id++) {
    const int y = id / MAX_TILE_WIDTH;
    const int x = id % MAX_TILE_WIDTH;
    picture.m[y][x] = look(by * tile_width + y, phase * tile_width + x);
    picture.n[y][x] = look(phase * tile_width + y, bx * tile_width + x);
  }
  return picture;
}
