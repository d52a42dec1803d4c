// SPDX-License-Identifier: Apache-2.0
// mistake: converts base and the element's distance from it to words each for itself and adds the words. Both divisions
//   cut off, so that two remainders which make up a word together are lost. Shows only for elements of 1 and 2 bytes
//   whose base is no multiple of 4: base 2, element 1 of 2 bytes lies at byte 4, word 1, and gets bank 0.
// want: An array of 2-byte elements with base 2: at which byte does element [0][1] start, and which word is that? What
//   do 2 / 4 and 2 / 4 give in your sum?
#include "bank_of.h"

constexpr int kWord = 4;
constexpr int kBanks = 32;

Banks bank_of(SharedArray array, int row, int column) {
  // everything in words of 4 bytes
  const int start = array.base / kWord;
  const int distance = (row * array.pitch + column) * array.element_bytes / kWord;

  Banks banks;
  banks.first = (start + distance) % kBanks;
  banks.count = (array.element_bytes + kWord - 1) / kWord;
  return banks;
}
