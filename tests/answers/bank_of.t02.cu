// SPDX-License-Identifier: Apache-2.0
// mistake: the count is the difference between the word of the byte after the element and the word of its first byte.
//   That is right for 4, 8 and 16 bytes, and for a narrow element that ends its word, but 0 for one that does not:
//   element_bytes 1, base 0, element [0][0]: end 1, 1 / 4 - 0 / 4 = 0 instead of 1. (At [0][3] it is 1.)
// want: in how many banks does a char lie that is the first of its word? Put its first byte and the byte after it into
//   your formula.
#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  const auto& [base, size, width, pitch] = array;
  (void)width;  // only pitch moves us from row to row

  auto word = [](int byte) { return byte >> 2; };

  int begin = base + size * pitch * row;
  begin += size * column;
  const int end = begin + size;

  return Banks{word(begin) % 32, word(end) - word(begin)};
}
