// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: every array starts in bank 0.
#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  const int address = (row * array.pitch + column) * array.element_bytes;
  const int first = address / 4 % 32;
  const int count = array.element_bytes > 4 ? array.element_bytes / 4 : 1;
  return {first, count};
}
