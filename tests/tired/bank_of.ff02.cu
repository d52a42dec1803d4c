// SPDX-License-Identifier: Apache-2.0
// mistake: base and the offset within the array are turned into words separately, and the remainders of both
//   divisions are lost. With base 3, element_bytes 1, element [0][1] starts at byte 4, bank 1; this computes
//   3 / 4 + 1 / 4 = 0. Right wherever base is a multiple of 4.
// want: At which byte does the element start when base is 3 and elements have one byte? Which word is that, and
//   what does your sum of two words say?
#include "bank_of.h"

namespace {
constexpr int kWord = 4;
constexpr int kBanks = 32;

int words(int bytes) { return bytes / kWord; }
}  // namespace

Banks bank_of(SharedArray array, int row, int column) {
  const auto [base, bytes, width, pitch] = array;
  (void)width;  // unused elements still take up room, only pitch counts

  // where the array starts, in words, and how far into it we are, in words
  const int start = words(base);
  const int offset = words(bytes * (pitch * row + column));

  int lies_in = 0;
  for (int covered = 0; covered < bytes; covered += kWord) ++lies_in;

  return {(start + offset) % kBanks, lies_in};
}
