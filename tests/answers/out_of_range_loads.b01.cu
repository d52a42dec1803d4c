// SPDX-License-Identifier: Apache-2.0
// mistake: a column past the edge in a row above the last is always called OTHER_ELEMENT, as if it could wrap
//   only into the next row; with a tile much wider than the matrix the index skips many rows and lies behind it.
// want: look at a tile that is wider than the matrix (width 5, tile 32): compute the linear index of
//   row 3, column 31 and compare it with the last index, instead of reasoning about "the next row".
#include "out_of_range_loads.h"

namespace {

struct Place {
  int row, col;
};

// The first element of the tile of M or N that the block wants in a phase.
Place m_corner(int tile, int by, int phase) { return {by * tile, phase * tile}; }
Place n_corner(int tile, int bx, int phase) { return {phase * tile, bx * tile}; }

Load classify(Place p, int width) {
  const bool row_exists = p.row < width;
  const bool col_exists = p.col < width;
  if (row_exists && col_exists) return INSIDE;
  // Below the matrix there is nothing any more.
  if (!row_exists) return PAST_THE_END;
  // To the right of it begins the next row, if there is one.
  return p.row == width - 1 ? PAST_THE_END : OTHER_ELEMENT;
}

}  // namespace

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads loads = {};
  const Place m = m_corner(tile_width, by, phase);
  const Place n = n_corner(tile_width, bx, phase);
  for (int t = 0; t < tile_width * tile_width; ++t) {
    const int ty = t / tile_width;
    const int tx = t % tile_width;
    loads.m[ty][tx] = classify({m.row + ty, m.col + tx}, width);
    loads.n[ty][tx] = classify({n.row + ty, n.col + tx}, width);
  }
  return loads;
}
