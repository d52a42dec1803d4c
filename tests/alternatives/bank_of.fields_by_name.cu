// SPDX-License-Identifier: Apache-2.0
// differs: std::div for quotient and remainder, std::max for the count, a result that is filled field by field;
// no newline at the end.

#include <algorithm>
#include <cstdlib>

#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  const std::ldiv_t words = std::ldiv(array.base + (long{row} * array.pitch + column) * array.element_bytes, 4L);
  const std::ldiv_t rounds = std::ldiv(words.quot, 32L);
  Banks result{};
  result.count = std::max(1, array.element_bytes / 4);
  result.first = static_cast<int>(rounds.rem);
  return result;
}