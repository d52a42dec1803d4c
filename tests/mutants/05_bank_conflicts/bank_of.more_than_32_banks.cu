// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: every word gets a bank of its own.
#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  const int element = row * array.pitch + column;
  const int address = array.base + element * array.element_bytes;

  const int word = address / 4;
  const int first = word;

  const int count = array.element_bytes > 4 ? array.element_bytes / 4 : 1;

  return {first, count};
}
