// SPDX-License-Identifier: Apache-2.0
// mistake: The word is found as base / 4 plus offset / 4, each rounded down for itself, instead of (base + offset) / 4: where
//   both leave bytes over, the carry is lost. base 2, element_bytes 2, element [0][1]: address 4, bank 1; this says
//   2 / 4 + 2 / 4 = bank 0. Right wherever base is a multiple of 4.
// want: Put an array of shorts at base 2 and write down the byte at which element [0][1] starts. In which word is that byte,
//   and which word do your two divisions find?
#include "bank_of.h"

namespace {

constexpr int kBankBytes = 4;
constexpr unsigned kBankMask = 31;

// in words
int words_before(const SharedArray& a) { return a.base / kBankBytes; }

int words_into(const SharedArray& a, int row, int column) {
  const int element = row * a.pitch + column;
  return element * a.element_bytes / kBankBytes;
}

}  // namespace

Banks bank_of(SharedArray array, int row, int column) {
  const unsigned word = words_before(array) + words_into(array, row, column);
  Banks b;
  b.first = static_cast<int>(word & kBankMask);
  b.count = 1;
  // 8 bytes: 2 words, 16 bytes: 4 words. Half a word still sits in one bank.
  for (int bytes = array.element_bytes; bytes > kBankBytes; bytes -= kBankBytes) b.count++;
  return b;
}
