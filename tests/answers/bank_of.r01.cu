// SPDX-License-Identifier: Apache-2.0
// mistake: base and the offset within the array are each divided by 4 before they are added, so the bytes that
//   both leave over are lost. With element_bytes 1, base 3, row 0, column 1 the element lies at byte 4, bank 1;
//   this says 0 + 0 = bank 0. (Elements of 4 bytes and more, and bases that are multiples of 4, come out right;
//   so does the count always.)
// want: Take single bytes and an array that starts at byte 3. At which byte of shared memory does its second
//   element start, and which word do your two divisions make of it?
#include "bank_of.h"

Banks bank_of(SharedArray a, int row, int column) {
  constexpr int kWord = 4;
  constexpr int kBanks = 32;

  // words in front of the array, then words inside of it
  const int in_front = a.base / kWord;
  const int inside = (row * a.pitch + column) * a.element_bytes;

  const int first_word = in_front + inside / kWord;
  const int last_word = in_front + (inside + a.element_bytes - 1) / kWord;

  return {first_word & (kBanks - 1), last_word - first_word + 1};
}
