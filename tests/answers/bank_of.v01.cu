// SPDX-License-Identifier: Apache-2.0
// mistake: base is added to the index before it is multiplied by element_bytes, though it is in bytes already. Floats, base
//   4, element [0][0]: byte 4, bank 1; the student has byte 16, bank 4. Right for base 0, for bytes, and where
//   base x (element_bytes - 1) is a multiple of 128.
// want: In which unit is base, and in which unit are the numbers that you add it to?
#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  // log2 of the size: 1, 2, 4, 8, 16 -> 0 ... 4
  int shift = 0;
  while ((1 << shift) < array.element_bytes) ++shift;

  const int element = array.base + row * array.pitch + column;
  const int address = element << shift;

  Banks b;
  b.first = (address >> 2) & 31;
  b.count = shift <= 2 ? 1 : 1 << (shift - 2);
  return b;
}
