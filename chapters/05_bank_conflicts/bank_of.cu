// SPDX-License-Identifier: Apache-2.0
//
// Chapter 5, bank conflicts. In which banks of shared memory does an element of an array lie? Whoever can
// compute that sees conflicts coming. Three places are marked TODO; this is a host function, no kernel.
//
//   ./warplings check bank_of

#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  // TODO 1: at which byte of shared memory does element [row][column] start?
  const int address = 0;

  // TODO 2: which word of 4 bytes is that, and which bank holds this word?
  const int first = address;

  // TODO 3: an element may be narrower than a word, or wider. How many banks does it lie in?
  const int count = 0;

  return {first, count};
}
