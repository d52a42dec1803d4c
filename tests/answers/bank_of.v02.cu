// SPDX-License-Identifier: Apache-2.0
// mistake: base, row and column are turned into words one by one, each rounded down, and then added: the bytes left over
//   are lost. Bytes (element_bytes 1), base 3, [0][1]: byte 4, bank 1; the student adds 0 + 0 + 0 and says bank 0. Or
//   half floats with pitch 33, [1][1]: 66 + 2 = 68 bytes, bank 17; 16 + 0 is bank 16. Right for 4 bytes and more.
// want: Where does element [0][1] of an array of bytes begin whose base is 3? Say it in bytes first, then in words.
#include "bank_of.h"

static int words(int bytes) { return bytes / 4; }

Banks bank_of(SharedArray array, int row, int column) {
  int bank = words(array.base);
  bank += words(row * array.pitch * array.element_bytes);
  bank += words(column * array.element_bytes);
  bank %= 32;

  // go through the element's bytes and see how often the bank changes
  int count = 0;
  for (int byte = 0; byte < array.element_bytes; ++byte) {
    if (byte % 4 == 0) ++count;
  }
  return Banks{bank, count};
}
