// SPDX-License-Identifier: Apache-2.0
// mistake: (1) from row to row n_at advances by tile_width, not by width: N's OTHER_ELEMENT and PAST_THE_END
//   are mixed up. (2) where M's row is missing, `continue` skips N as well: those entries of N keep the
//   initial 0, which is INSIDE.
// want: In memory, how far is an element of N from the one right below it? And for a thread whose row of M
//   does not exist: what does your function say about its load from N, and which line decided that?

#include "out_of_range_loads.h"

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  const int end = width * width;

  // indices of the first element of the current row of each tile
  int m_at = by * tile_width * width + phase * tile_width;
  int n_at = phase * tile_width * width + bx * tile_width;

  for (int ty = 0; ty < tile_width; ++ty, m_at += width, n_at += tile_width) {
    const int m_row = by * tile_width + ty;
    const int n_row = phase * tile_width + ty;

    // under the matrix: the whole row is behind it, no need to look closer
    if (m_row >= width) {
      for (int tx = 0; tx < tile_width; ++tx) loads.m[ty][tx] = PAST_THE_END;
      continue;
    }

    for (int tx = 0; tx < tile_width; ++tx) {
      const int m_col = phase * tile_width + tx;
      const int n_col = bx * tile_width + tx;

      if (m_col < width) {
        loads.m[ty][tx] = INSIDE;
      } else {
        loads.m[ty][tx] = m_at + tx < end ? OTHER_ELEMENT : PAST_THE_END;
      }

      if (n_row < width && n_col < width) {
        loads.n[ty][tx] = INSIDE;
      } else {
        loads.n[ty][tx] = n_at + tx < end ? OTHER_ELEMENT : PAST_THE_END;
      }
    }
  }
  return loads;
}
