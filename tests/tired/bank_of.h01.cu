// SPDX-License-Identifier: Apache-2.0
// mistake: base and the element's offset are turned into words separately, each rounded down; for elements of 1 or 2
//   bytes two rests may make up one more word (base 2, offset 2 is byte 4, bank 1, and the answer is 0).
// want: Take 2-byte elements, base 2, and element [0][1]. At which byte does it start, and in which word is that? What
//   became of the two rests that you divided away?

#include "bank_of.h"

static int words(int bytes) { return bytes / 4; }

Banks bank_of(SharedArray array, int row, int column) {
  const int index = row * array.pitch + column;
  const int offset = index * array.element_bytes;

  const int word = words(array.base) + words(offset);

  Banks banks;
  banks.first = word % 32;
  banks.count = array.element_bytes <= 4 ? 1 : words(array.element_bytes);
  return banks;
}
