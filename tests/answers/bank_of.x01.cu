// SPDX-License-Identifier: Apache-2.0
// mistake: an element takes at least one word of its own, so that elements of 1 and 2 bytes are each given a bank, though
//   4 or 2 of them share one. base 0, 1 byte, pitch 32, [0][5]: byte 5 lies in word 1, bank 1; this says bank 5. From 4
//   bytes on it is right.
// want: An array of char: in which word lie elements 0, 1, 2 and 3? What does your function say of them?
#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  // words that one element needs
  const int words = array.element_bytes <= 4 ? 1 : array.element_bytes / 4;

  // number of the element, counted from the start of shared memory (base is a multiple, so this is exact)
  const int n = array.base / array.element_bytes + row * array.pitch + column;

  Banks b;
  b.first = (n * words) % 32;
  b.count = words;
  return b;
}
