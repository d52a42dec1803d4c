// SPDX-License-Identifier: Apache-2.0
// mistake: believes that each row begins at a word, and rounds the bytes of a row up to a multiple of 4. Rows lie pitch
//   elements apart and nothing else: with elements of 1 byte and a pitch of 33, row 1 begins at byte 33, bank 8, and this
//   says byte 36, bank 9.
// want: pitch 33, elements of 1 byte: at which byte does row 1 begin according to the contract, and at which in your
//   function? Nothing aligns rows.
#include "bank_of.h"

static int words(int bytes) {
  return (bytes + 3) / 4;
}

Banks bank_of(SharedArray array, int row, int column) {
  // where the row starts, where the element is in it
  const int row_bytes = 4 * words(array.pitch * array.element_bytes);
  const int start = array.base + row * row_bytes;
  const int address = start + column * array.element_bytes;

  return {(address >> 2) & 31, words(array.element_bytes)};
}
