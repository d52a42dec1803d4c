// SPDX-License-Identifier: Apache-2.0
// mistake: the row is taken modulo 32 before the address is computed. 32 rows are 32 * pitch * element_bytes
//   bytes, which is a multiple of 128 only where pitch * element_bytes is a multiple of 4. With base 0,
//   element_bytes 1, pitch 33, element [32][0] is at byte 1056, word 264, bank 8; this says bank 0. The count,
//   a shift instead of a division, is right for all five sizes.
// want: How many bytes is row 32 away from row 0 for this pitch and this size of element? After how many bytes
//   does the pattern of the banks begin anew?
#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  // 32 banks, so the picture repeats after 32 rows; keeps the numbers small
  const int r = row & 31;
  const int element = r * array.pitch + column;
  const int byte = array.base + element * array.element_bytes;

  Banks b;
  b.first = (byte >> 2) & 31;
  b.count = 1 << (array.element_bytes / 8);  // 1, 1, 1, 2, 4
  return b;
}
