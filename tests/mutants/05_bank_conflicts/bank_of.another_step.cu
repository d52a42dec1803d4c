// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the padding of the rows above is a number of elements, and is added to a number of bytes.
#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  const int without_padding = (row * array.width + column) * array.element_bytes;
  const int address = array.base + without_padding + row * (array.pitch - array.width);
  const int count = array.element_bytes > 4 ? array.element_bytes / 4 : 1;
  return {address / 4 % 32, count};
}
