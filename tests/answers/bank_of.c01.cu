// SPDX-License-Identifier: Apache-2.0
// mistake: takes banks to be 8 bytes wide for elements of 8 and 16 bytes, like the eight-byte mode of old devices:
//   first is address / 8 % 32 there, and count is 1 for 8 bytes and 2 for 16.
// want: How wide is a bank by the contract, and does that depend on the element? A double at byte 8: which words of 4
//   bytes is it made of, and where do these lie?
#include "bank_of.h"

static int bank_width(int element_bytes) {
  // doubles need the 64-bit mode
  return element_bytes >= 8 ? 8 : 4;
}

Banks bank_of(SharedArray array, int row, int column) {
  const int address = array.base + (row * array.pitch + column) * array.element_bytes;

  const int wide = bank_width(array.element_bytes);
  const int first = (address / wide) % 32;
  const int count = (array.element_bytes + wide - 1) / wide;

  return {first, count};
}
