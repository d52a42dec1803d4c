// SPDX-License-Identifier: Apache-2.0
// mistake: The number of the element, not of the word, is taken modulo 32. That does no harm for elements of 4, 8 and
//   16 bytes, but 32 elements of 1 or 2 bytes do not go once around the banks. element_bytes 1, base 0, pitch 64,
//   element [1][0]: byte 64, word 16, bank 16; the answer says bank 0.
// want: After how many elements of one byte does an array come round to the same bank again? Which line says so?
#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  int index = row * array.pitch + column;
  index %= 32;  // the pattern of banks repeats

  const int begin = array.base + index * array.element_bytes;
  const int last = begin + array.element_bytes - 1;  // last byte of it

  const int first_bank = begin / 4 % 32;
  const int last_bank = last / 4 % 32;

  // aligned elements never wrap from bank 31 to bank 0
  return Banks{first_bank, last_bank - first_bank + 1};
}
