// SPDX-License-Identifier: Apache-2.0
// mistake: a row's bytes are rounded up to whole words, as if each row began at a word of its own. With
//   element_bytes 1, base 0, pitch 33, element [1][0] lies at byte 33, bank 8; this takes byte 36, bank 9. Wrong
//   only where pitch * element_bytes is no multiple of 4 and row is above 0. (The limit 32 - first on the count
//   is harmless: base is a multiple of element_bytes, so no element reaches from bank 31 into bank 0.)
// want: How many bytes lie between the starts of two rows of 33 chars? Where does the contract say that a row
//   starts?
#include "bank_of.h"

#include <algorithm>

static int up_to_words(int bytes) { return (bytes + 3) & ~3; }

Banks bank_of(SharedArray array, int row, int column) {
  const int row_bytes = up_to_words(array.pitch * array.element_bytes);

  int at = array.base;
  at += row * row_bytes;
  at += column * array.element_bytes;

  Banks result;
  result.first = (at >> 2) % 32;
  // never past the last bank
  result.count = std::min(up_to_words(array.element_bytes) / 4, 32 - result.first);
  return result;
}
