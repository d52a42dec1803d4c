// SPDX-License-Identifier: Apache-2.0
// mistake: 1. a phase moves on by MAX_TILE_WIDTH (32) elements, not by tile_width. 2. N's picture is stored as n[tx][ty],
//   with the thread's coordinates the wrong way round.
// want: A tile is tile_width wide. In which column of M does phase 1 begin with tile_width 4? (Then: the header says
//   which of tx and ty comes first in n[..][..]. Is it another one than in m?)
#include "out_of_range_loads.h"

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};

  const long long size = (long long)width * width;
  auto classify = [&](long long r, long long c) -> Load {
    if (r < width && c < width) return INSIDE;
    return r * width + c < size ? OTHER_ELEMENT : PAST_THE_END;
  };

  const int step = phase * MAX_TILE_WIDTH;
  for (int ty = 0; ty < tile_width; ++ty) {
    for (int tx = 0; tx < tile_width; ++tx) {
      // M: walk to the right. N: walk down, so it is the other way round.
      loads.m[ty][tx] = classify(by * tile_width + ty, step + tx);
      loads.n[tx][ty] = classify(step + ty, bx * tile_width + tx);
    }
  }
  return loads;
}
