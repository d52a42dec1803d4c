// SPDX-License-Identifier: Apache-2.0
// mistake: lets the index of the element wrap around at 32 before it becomes bytes. It is words that wrap around: with
//   elements of 1 or 2 bytes, 32 elements fill only 8 or 16 banks (1 byte, base 0, element 32 of a row: bank 8, and this
//   says 0). With 4, 8 and 16 bytes it makes no difference.
// want: Elements of 1 byte: in which byte is element 32, in which word, in which bank? What is it that comes round after
//   32, elements or words?
#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  // 32 banks, so only the position within 32 matters
  const int position = (row * array.pitch + column) % 32;
  const int byte = array.base + position * array.element_bytes;

  Banks banks;
  banks.first = byte / 4 % 32;
  banks.count = array.element_bytes <= 4 ? 1 : array.element_bytes / 4;
  return banks;
}
