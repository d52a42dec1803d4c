// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the bank of an element's number, whatever its size.
#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  const int address = array.base + (row * array.pitch + column) * array.element_bytes;
  const int first = address / array.element_bytes % 32;
  const int count = array.element_bytes > 4 ? array.element_bytes / 4 : 1;
  return {first, count};
}
