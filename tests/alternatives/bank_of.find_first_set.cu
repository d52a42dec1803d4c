// SPDX-License-Identifier: Apache-2.0
// differs: an extra answer: the element's size becomes a shift with the C library's ffs, all else is shifts.

#include <strings.h>

#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  const int shift = ffs(array.element_bytes) - 1;
  const long long byte = array.base + ((static_cast<long long>(row) * array.pitch + column) << shift);
  return {static_cast<int>(byte >> 2 & 31), shift > 2 ? 1 << (shift - 2) : 1};
}
