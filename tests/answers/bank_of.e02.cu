// SPDX-License-Identifier: Apache-2.0
// mistake: for elements of 8 and 16 bytes the banks are taken to be 8 bytes wide (Kepler had such a mode), so that
//   both numbers are wrong: a double has count 1 and lies in bank address / 8.
// want: How many bytes of a double does one bank hold according to the header? Does the width of a bank depend on
//   what is stored there?

#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  const int address = array.base + array.element_bytes * (row * array.pitch + column);

  // double and the vector types: banks work 64 bits wide
  const int bank_bytes = array.element_bytes > 4 ? 8 : 4;

  const int first = address / bank_bytes % 32;
  int count = 1;
  if (array.element_bytes > bank_bytes) {
    count = array.element_bytes / bank_bytes;
  }
  return {first, count};
}
