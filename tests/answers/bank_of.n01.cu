// SPDX-License-Identifier: Apache-2.0
// mistake: adds base, which is in bytes, to the element's index before multiplying by element_bytes: base counts
//   element_bytes times (base 4, floats, element [0][0]: bank 4 instead of 1).
// want: In which unit is base, and in which are row * pitch + column? Where does element [0][0] of floats lie when base
//   is 4?
#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  // start of the row, then along the row
  const int row_start = array.base + row * array.pitch;
  const int position = row_start + column;
  const int byte = position * array.element_bytes;

  Banks b;
  b.first = byte / 4 % 32;
  b.count = array.element_bytes <= 4 ? 1 : array.element_bytes / 4;
  return b;
}
