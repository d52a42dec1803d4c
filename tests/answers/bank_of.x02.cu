// SPDX-License-Identifier: Apache-2.0
// mistake: rows are counted in whole words: pitch * element_bytes / 4 cuts off the rest where a row is no multiple of 4
//   bytes. base 0, 1 byte, pitch 33, [1][3]: byte 36, bank 9; this has 8 + 0 = 8. The base's own rest (2 with elements of 2
//   bytes) is lost, too: base 2, 2 bytes, [0][1] is byte 4, bank 1; this says 0.
// want: How many words long is a row of 33 elements of one byte? Where does row 1 then start, and where in your
//   arithmetic?
#include "bank_of.h"

static constexpr int kWord = 4;

static int words(int bytes) { return bytes / kWord; }

Banks bank_of(SharedArray a, int row, int column) {
  // each part can be reduced to a bank at once, a sum of banks is a bank again
  const int start = words(a.base) & 31;
  const int skew = words(a.pitch * a.element_bytes) & 31;
  const int along = words(column * a.element_bytes);

  const int bank = (start + row * skew + along) & 31;

  switch (a.element_bytes) {
    case 16: return {bank, 4};
    case 8: return {bank, 2};
    default: return {bank, 1};
  }
}
