// SPDX-License-Identifier: Apache-2.0
// mistake: the count is element_bytes / 4 rounded to the nearest whole number: an element of 1 byte gives
//   lround(0.25) = 0 banks, where it lies in 1. (2 bytes give lround(0.5) = 1, which is right.) The bank is right:
//   base is a multiple of element_bytes, and so the whole computation may be done in elements.
// want: What does your count say for each of the five sizes that an element may have? Can an element lie in no bank?
#include "bank_of.h"

#include <cmath>

Banks bank_of(SharedArray a, int row, int column) {
  // Number of the element, counted from the start of shared memory.
  const int number = a.base / a.element_bytes + row * a.pitch + column;

  int first;
  if (a.element_bytes < 4) {
    const int per_word = 4 / a.element_bytes;
    first = (number / per_word) & 31;
  } else {
    const int words = a.element_bytes / 4;
    first = number % (32 / words) * words;
  }

  const int count = static_cast<int>(std::lround(a.element_bytes / 4.0));
  return {first, count};
}
