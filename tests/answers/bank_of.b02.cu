// SPDX-License-Identifier: Apache-2.0
// mistake: the padding of the rows above (pitch - width elements each) is added to a byte address without being
//   multiplied by the bytes of an element: right for chars and for arrays without padding only.
// want: in which unit is pitch - width, and in which the address you add it to? Take tile[32][33] of floats,
//   row 1, column 0, and compare with element 33 counted from the start.
#include "bank_of.h"

Banks bank_of(SharedArray array, int row, int column) {
  // Where the element would be without padding, and the padding of the rows above it.
  const int packed = (row * array.width + column) * array.element_bytes;
  const int padding = row * (array.pitch - array.width);
  const unsigned address = array.base + packed + padding;

  const int first = (address >> 2) & 31;
  const int last = ((address + array.element_bytes - 1) >> 2) & 31;
  return {first, last - first + 1};
}
