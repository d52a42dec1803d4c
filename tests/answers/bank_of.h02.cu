// SPDX-License-Identifier: Apache-2.0
// mistake: row and column are reduced modulo 32 first, as if the banks repeated every 32 elements; they repeat every
//   128 bytes, so that this is right for elements of 4 bytes and more only; of 1 or 2 bytes the bank is wrong from
//   row or column 32 on.
// want: After how many bytes is bank 0 next again? How many elements is that with element_bytes 1, and is column 32
//   then in the same bank as column 0?

#include "bank_of.h"

constexpr int kBanks = 32;
constexpr int kWord = 4;

Banks bank_of(SharedArray array, int row, int column) {
  // the pattern repeats after 32, and small numbers cannot overflow
  const int r = row % kBanks;
  const int c = column % kBanks;

  const int address = array.base + (r * array.pitch + c) * array.element_bytes;
  const int last = address + array.element_bytes - 1;

  const int first_word = address / kWord;
  const int last_word = last / kWord;
  return {first_word % kBanks, last_word - first_word + 1};
}
