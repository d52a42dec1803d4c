// SPDX-License-Identifier: Apache-2.0
// mistake: base and offset are turned into words separately, each rounded down: with elements of 1 or 2 bytes and
//   a base that is no multiple of 4 the parts of a word that add up to a whole one are lost (base 3, column 1).
// want: base 3, elements of 1 byte, column 1: at which byte does the element start, and in which word is this
//   byte? Add in bytes first; divide once.
#include "bank_of.h"

namespace {

constexpr int kWord = 4;    // bytes
constexpr int kBanks = 32;

int words(int bytes) { return bytes / kWord; }

}  // namespace

Banks bank_of(SharedArray array, int row, int column) {
  const int first_word = words(array.base);
  const int offset = (row * array.pitch + column) * array.element_bytes;

  Banks banks;
  banks.first = (first_word + words(offset)) % kBanks;
  banks.count = array.element_bytes <= kWord ? 1 : words(array.element_bytes);
  return banks;
}
