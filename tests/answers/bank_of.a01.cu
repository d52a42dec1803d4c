// SPDX-License-Identifier: Apache-2.0
// mistake: walks from row to row by width (the columns that are used) instead of by pitch, so that padding has no
//   effect.
// want: tile[32][33]: how many elements lie between the starts of two rows, 32 or 33? Which field says so?
#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  // row major, as always
  const int index = row * array.width + column;
  const int address = array.base + index * array.element_bytes;

  const int word = address / 4;
  const int first = word % 32;

  const int count = array.element_bytes <= 4 ? 1 : array.element_bytes / 4;

  return {first, count};
}
