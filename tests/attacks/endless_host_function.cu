// SPDX-License-Identifier: Apache-2.0
// exercise: bank_of
// verdict: time_limit
// failing: 6
// says: Do this first Look for a loop in host code that never ends
// says: The function did not return within
//
// For elements of several words the loop never ends. Calls behind are not made, and no result of theirs is
// missing.

#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  const int address = array.base + (row * array.pitch + column) * array.element_bytes;
  volatile int count = 1;
  while (count * 4 < array.element_bytes) {
    if (count > 16) ++count;
  }
  return {address / 4 % 32, count};
}
