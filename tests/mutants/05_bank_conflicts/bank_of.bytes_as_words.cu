// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the bank of a byte, as if each byte had a bank of its own.
#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  const int address = array.base + (row * array.pitch + column) * array.element_bytes;
  const int first = address % 32;
  const int count = array.element_bytes > 4 ? array.element_bytes / 4 : 1;
  return {first, count};
}
