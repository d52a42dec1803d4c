// SPDX-License-Identifier: Apache-2.0
//
// Chapter 5, bank_of: the solution. Three steps, each with its own unit: elements, bytes, words. Most
// mistakes are a step left out.

#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  // Elements first: rows lie a pitch apart, whatever part of a row is used. Then bytes, where base already
  // is.
  const int element = row * array.pitch + column;
  const int address = array.base + element * array.element_bytes;

  // Banks count words, not bytes and not elements: bytes 0 to 3 are word 0, and word 32 is in bank 0 again.
  const int word = address / 4;
  const int first = word % 32;

  // Several narrow elements share one word; a wide one takes as many words as it needs, and each of these
  // has a bank of its own.
  const int count = array.element_bytes > 4 ? array.element_bytes / 4 : 1;

  return {first, count};
}
