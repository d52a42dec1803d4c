// SPDX-License-Identifier: Apache-2.0
// mistake: a block whose tile of P lies inside the matrix is said to load only what exists. Its last phase may
//   pass M's right edge and N's lower edge all the same: width 17, tile_width 16, block (0, 0), phase 1: M's
//   columns 17 to 31 (OTHER_ELEMENT) and N's rows 17 to 31 (PAST_THE_END) are reported INSIDE.
// want: Your short cut asks where the block's tile of P lies. Do its tiles of M and N lie in the same place in
//   every phase?
#include "out_of_range_loads.h"

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};  // all INSIDE

  // Blocks in the middle of P have nothing to check, only those at the right and at the lower edge.
  const bool right_edge = (bx + 1) * tile_width > width;
  const bool lower_edge = (by + 1) * tile_width > width;
  if (!right_edge && !lower_edge) return loads;

  const long long elements = 1LL * width * width;
  auto classify = [&](long long r, long long c) {
    if (r < width && c < width) return INSIDE;
    return r * width + c < elements ? OTHER_ELEMENT : PAST_THE_END;
  };

  for (int ty = 0; ty < tile_width; ++ty) {
    for (int tx = 0; tx < tile_width; ++tx) {
      loads.m[ty][tx] = classify(by * tile_width + ty, phase * tile_width + tx);
      loads.n[ty][tx] = classify(phase * tile_width + ty, bx * tile_width + tx);
    }
  }
  return loads;
}
