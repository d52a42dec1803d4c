// SPDX-License-Identifier: Apache-2.0
// mistake: base and offset are turned into words each on its own, then added; for elements of 1 or 2 bytes both
//   roundings lose bytes, so that base 3 and offset 3 give word 0 instead of word 1.
// want: base need not be a multiple of 4. At which byte does the element start with base 3 and column 3 of chars,
//   and which word is that? Which does your code say?

#include "bank_of.h"

static int words(int bytes) {
  return bytes / 4;
}

Banks bank_of(SharedArray array, int row, int column) {
  const int offset = (row * array.pitch + column) * array.element_bytes;
  const int word = words(array.base) + words(offset);

  Banks banks;
  banks.first = word % 32;
  banks.count = array.element_bytes <= 4 ? 1 : words(array.element_bytes);
  return banks;
}
