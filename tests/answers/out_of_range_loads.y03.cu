// SPDX-License-Identifier: Apache-2.0
// mistake: N's picture is drawn as a mirrored one of M's kind: place (ty, tx) gets what (column, row) would give.
//   INSIDE comes out right, but rows and columns are not alike in memory: a missing row lies behind the matrix, a
//   missing column mostly on another element. Case: width 5, tile_width 4, block (1, 0), phase 0, ty 0, tx 1: N's
//   element (0, 5) has index 5, OTHER_ELEMENT; the answer asks for (5, 0), index 25, and says PAST_THE_END.
// want: For one place of N where the column is missing: which row, column and index do you give to the function that judges?
#include "out_of_range_loads.h"

#include <functional>

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};

  const int last = width * width - 1;
  auto judge = [=](int row, int col) {
    if (row * width + col > last) return PAST_THE_END;
    return col >= width ? OTHER_ELEMENT : INSIDE;  // a row that is missing has gone in the line above
  };

  // M: the band of rows belongs to the block, the phase walks to the right.
  // N: the band of columns belongs to the block, the phase walks down. The same picture, mirrored.
  auto band = [&](int block, std::function<void(int, int, Load)> put) {
    for (int a = 0; a < tile_width; ++a) {
      const int across = block * tile_width + a;
      for (int b = 0; b < tile_width; ++b) {
        const int along = phase * tile_width + b;
        put(a, b, judge(across, along));
      }
    }
  };

  band(by, [&](int a, int b, Load x) { loads.m[a][b] = x; });
  band(bx, [&](int a, int b, Load x) { loads.n[b][a] = x; });
  return loads;
}
