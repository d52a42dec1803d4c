// SPDX-License-Identifier: Apache-2.0
// mistake: believes that banks are 8 bytes wide for elements of 8 and 16 bytes (as a mode of very old GPUs had it), so
//   that a bank number there counts portions of 8 bytes, and a double lies in one bank and a 16-byte element in two.
//   Elements of 4 bytes and less are right; wide ones always have the wrong count, and mostly the wrong first bank.
// want: How many bytes wide is a bank according to the header? Does this depend on the element? Which bytes does a
//   double at byte 8 occupy, and which words of 4 bytes are these?
#include "bank_of.h"

// A bank gives out 4 bytes at a time, or 8 where the elements are wide.
static int bank_width(int element_bytes) {
  return element_bytes > 4 ? 8 : 4;
}

Banks bank_of(SharedArray array, int row, int column) {
  const int address = array.base + (row * array.pitch + column) * array.element_bytes;
  const int last = address + array.element_bytes - 1;  // its last byte

  const int wide = bank_width(array.element_bytes);
  const int from = address / wide;
  const int to = last / wide;

  return {from % 32, to - from + 1};
}
