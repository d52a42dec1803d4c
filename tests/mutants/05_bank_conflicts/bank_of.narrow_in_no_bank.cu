// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: an integer division leaves no bank for chars and shorts.
#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  const int address = array.base + (row * array.pitch + column) * array.element_bytes;
  const int first = address / 4 % 32;
  const int count = array.element_bytes / 4;
  return {first, count};
}
