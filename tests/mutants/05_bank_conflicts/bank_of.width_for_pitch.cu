// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: rows lie as far apart as they are wide, padding or not.
#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  const int address = array.base + (row * array.width + column) * array.element_bytes;
  const int first = address / 4 % 32;
  const int count = array.element_bytes > 4 ? array.element_bytes / 4 : 1;
  return {first, count};
}
