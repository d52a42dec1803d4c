// SPDX-License-Identifier: Apache-2.0
// mistake: two. pitch is taken for bytes, as with cudaMallocPitch, where it counts elements: each row but the first
//   starts at the wrong place unless elements have 1 byte. And count rounds to the nearest: a char lies in 0 banks.
// want: In what unit does the header give pitch? Where does row 1 of float tile[32][33] start, in bytes? And can an
//   element lie in no bank at all: what is your count for a char?

#include "bank_of.h"

// Start of a row, like the pitch of cudaMallocPitch.
static int row_start(const SharedArray& array, int row) {
  return array.base + row * array.pitch;
}

Banks bank_of(SharedArray array, int row, int column) {
  const int address = row_start(array, row) + column * array.element_bytes;
  const int first = (address >> 2) & 31;
  const int count = (array.element_bytes + 2) / 4;
  return {first, count};
}
