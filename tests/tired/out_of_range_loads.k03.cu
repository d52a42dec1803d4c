// SPDX-License-Identifier: Apache-2.0
// mistake: rows and columns are kept in a short, which ends at 32767; the contract goes up to a width of 40000. Rows and
//   columns from 32768 on become negative, and what lies past the edge of a wide matrix counts as INSIDE.
// want: What is the largest row that the contract allows, and what is the largest number that a short holds?
#include "out_of_range_loads.h"

struct Cell {
  short row;
  short col;
};

static Load look(Cell c, int width) {
  if (c.row < width && c.col < width) {
    return INSIDE;
  }
  const long long index = (long long)c.row * width + c.col;  // long long: 40000 * 40000 is a lot
  const long long last = (long long)width * width - 1;
  return index <= last ? OTHER_ELEMENT : BEHIND_MATRIX;
}

BlockLoads out_of_range_loads(int width, int tile_width, int bx, int by, int phase) {
  BlockLoads picture = {};

  for (int y = 0; y < tile_width; y++) {
    for (int x = 0; x < tile_width; x++) {
      Cell m;
      m.row = by * tile_width + y;
      m.col = phase * tile_width + x;

      Cell n;
      n.row = phase * tile_width + y;
      n.col = bx * tile_width + x;

      picture.m[y][x] = look(m, width);
      picture.n[y][x] = look(n, width);
    }
  }

  return picture;
}
