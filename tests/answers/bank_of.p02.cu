// SPDX-License-Identifier: Apache-2.0
// mistake: for elements of 8 and 16 bytes the address is divided by the element's size, as if a bank were as wide as an
//   element; banks are 4 bytes wide whatever lies in them. element_bytes 8, base 0, row 0, column 1: address 8 is word
//   2, bank 2; this says bank 1. Right for 1, 2 and 4 bytes; the counts are right.
// want: At which byte does double number 1 start, and which 4-byte word is that? Does the width of a bank depend on what
//   you keep in it?
#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  const unsigned bytes = array.element_bytes;
  const unsigned begin = array.base + bytes * (unsigned(row) * array.pitch + column);
  const unsigned end = begin + bytes - 1;  // its last byte

  unsigned step = 4;
  if (bytes > step) step = bytes;

  Banks b;
  b.first = begin / step & 31;
  // last word minus first word, an element is aligned so this never wraps
  b.count = int((end >> 2) - (begin >> 2)) + 1;
  return b;
}
