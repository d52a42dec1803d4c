// SPDX-License-Identifier: Apache-2.0
// mistake: forgets to multiply the element's number by element_bytes.
// want: You use the element's number as its byte.
#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  // TODO 1: at which byte of shared memory does element [row][column] start?
  const int address = array.base + (row * array.pitch + column);

  // TODO 2: in which 4-byte word is that byte, and which bank holds that word?
  const int first = address / 4 % 32;

  // TODO 3: an element may be narrower or wider than a word. In how many banks does it lie?
  const int count = array.element_bytes <= 4 ? 1 : array.element_bytes / 4;

  return {first, count};
}
