// SPDX-License-Identifier: Apache-2.0
//
// Chapter 5, bank conflicts. In which banks of shared memory does an array element lie? If you can compute
// that, you can predict conflicts. Three places are marked TODO; this is a host function, not a kernel.
//
//   ./warplings check bank_of

#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  // TODO 1: at which byte of shared memory does element [row][column] start?
  const int address = 0;

  // TODO 2: in which 4-byte word is that byte, and which bank holds that word?
  const int first = address;

  // TODO 3: an element may be narrower or wider than a word. In how many banks does it lie?
  const int count = 0;

  return {first, count};
}
