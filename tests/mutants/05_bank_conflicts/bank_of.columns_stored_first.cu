// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the array is taken to be stored column by column.
#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  const int address = array.base + (column * array.pitch + row) * array.element_bytes;
  const int first = address / 4 % 32;
  const int count = array.element_bytes > 4 ? array.element_bytes / 4 : 1;
  return {first, count};
}
