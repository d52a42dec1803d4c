// SPDX-License-Identifier: Apache-2.0
// mistake: The element's number is reduced modulo 32 before it is multiplied by element_bytes. That loses nothing for 4, 8 and 16
//   bytes, but 32 elements of 1 or 2 bytes do not go once round the banks: element_bytes 1, base 0, pitch 64, element
//   [0][32] lies in byte 32, bank 8; this says bank 0.
// want: After how many elements of 4 bytes is one back in bank 0? After how many of 1 byte?
#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  // Which banks repeat after 32 elements, so only the remainder is of interest (and nothing can overflow).
  const int n = (row * array.pitch + column) % 32;

  const int first_byte = array.base + n * array.element_bytes;
  const int last_byte = first_byte + array.element_bytes - 1;

  const int first = first_byte / 4 % 32;
  const int last = last_byte / 4 % 32;
  // aligned to its own size, so it can't run over from bank 31 to bank 0
  return Banks{first, last - first + 1};
}
