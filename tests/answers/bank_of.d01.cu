// SPDX-License-Identifier: Apache-2.0
// mistake: takes the element's number modulo 32 before it becomes bytes, as if banks repeated after 32 elements. They
//   repeat after 32 words: for elements of 1 and 2 bytes with a number of 32 or more the bank is wrong (wider ones are
//   right by luck).
// want: An array of chars: in which word does element 40 lie, and in which bank? After how many chars does bank 0 come
//   again, after how many floats?
#include "bank_of.h"

constexpr int kBanks = 32;

Banks bank_of(SharedArray array, int row, int column) {
  // Everything repeats after 32, so the numbers can be kept small from the start.
  const int element = (row * array.pitch + column) % kBanks;
  const int address = array.base + element * array.element_bytes;

  Banks banks;
  banks.first = address / 4 % kBanks;
  banks.count = array.element_bytes > 4 ? array.element_bytes / 4 : 1;
  return banks;
}
