// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: an element has one bank, however wide it is.
#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  const int address = array.base + (row * array.pitch + column) * array.element_bytes;
  const int first = address / 4 % 32;
  const int count = 1;
  return {first, count};
}
