// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: each row begins at a whole word.
#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  const int row_bytes = (array.pitch * array.element_bytes + 3) / 4 * 4;
  const int address = array.base + row * row_bytes + column * array.element_bytes;

  const int word = address / 4;
  const int first = word % 32;

  const int count = array.element_bytes > 4 ? array.element_bytes / 4 : 1;

  return {first, count};
}
