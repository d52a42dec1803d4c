// SPDX-License-Identifier: Apache-2.0
// mistake: the words before the array and the words within it are counted apart, each rounded down, and then added: two
//   halves of a word are lost where base is no multiple of 4. Shows only with elements of 1 or 2 bytes: base 2,
//   element_bytes 2, element [0][1] starts at byte 4, which is bank 1; the answer here is 2 / 4 + 2 / 4 = 0. The
//   wrap, the pitch and the count are right.
// want: at which byte does element [0][1] start if the base is 2 and an element has 2 bytes? At which point do you
//   divide by 4, and what is cut off there?
#include "bank_of.h"

namespace {
constexpr int kWord = 4;
constexpr unsigned kMask = 31;
}  // namespace

Banks bank_of(SharedArray array, int row, int column) {
  // words in front of the array
  const unsigned skipped = array.base / kWord;

  // words inside of the array, up to the element
  const int elements = array.pitch * row + column;
  const unsigned inside = elements * array.element_bytes / kWord;

  Banks b;
  b.first = (int)((skipped + inside) & kMask);
  b.count = array.element_bytes > kWord ? array.element_bytes >> 2 : 1;
  return b;
}
