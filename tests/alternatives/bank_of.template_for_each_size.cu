// SPDX-License-Identifier: Apache-2.0
// differs: an element type for each size and real pointer arithmetic on a null-based address in units of the element;
// a switch picks the template; base is counted in elements, since it is a multiple of one.

#include <cstdint>

#include "bank_of.h"

template <int BYTES>
static Banks of_elements(const SharedArray& array, std::int64_t row, std::int64_t column) {
  const std::int64_t element = array.base / BYTES + row * array.pitch + column;  // counted from 0
  if constexpr (BYTES < 4) {
    constexpr int in_a_word = 4 / BYTES;
    return {static_cast<int>(element / in_a_word % 32), 1};
  } else {
    constexpr int words = BYTES / 4, in_a_round = 32 / words;
    return {static_cast<int>(element % in_a_round) * words, words};
  }
}

Banks bank_of(SharedArray array, int row, int column) {
  switch (array.element_bytes) {
    case 1: return of_elements<1>(array, row, column);
    case 2: return of_elements<2>(array, row, column);
    case 4: return of_elements<4>(array, row, column);
    case 8: return of_elements<8>(array, row, column);
    default: return of_elements<16>(array, row, column);
  }
}
