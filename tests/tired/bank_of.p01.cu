// SPDX-License-Identifier: Apache-2.0
// mistake: base and the offset of the element are each divided by 4 and rounded down before they are added, instead of
//   the whole address. base 2, element_bytes 2, row 0, column 1: address 4 is word 1, bank 1; this says 0/4 + 2/4 = 0.
//   Right for every base that is a multiple of 4, and for elements of 4 bytes and more.
// want: Take 2-byte elements with base 2 and look at column 1: at which byte does it start, and what do you get for its
//   word? What is lost on the way?
#include "bank_of.h"

namespace {

constexpr int kBanks = 32;
constexpr int kWord = 4;

// Elements before [row][column], counted from the start of the array.
int index_of(const SharedArray& a, int row, int column) { return row * a.pitch + column; }

}  // namespace

Banks bank_of(SharedArray array, int row, int column) {
  // the array starts in this word ...
  const int start_word = array.base / kWord;
  // ... and the element is that many words further on
  const int words_on = index_of(array, row, column) * array.element_bytes / kWord;

  Banks result;
  result.first = (start_word + words_on) % kBanks;
  // small elements sit inside one word
  result.count = array.element_bytes > kWord ? array.element_bytes / kWord : 1;
  return result;
}
