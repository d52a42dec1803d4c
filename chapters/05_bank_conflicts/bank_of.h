// SPDX-License-Identifier: Apache-2.0
#pragma once

// A two-dimensional array in shared memory, stored row by row. In `__shared__ float tile[32][33]` of which a
// kernel uses 32 columns, element_bytes is 4, width 32 and pitch 33.
struct SharedArray {
  int base;           // byte address of element [0][0]; 0 is the start of shared memory
  int element_bytes;  // 1, 2, 4, 8 or 16; base is a multiple of it
  int width;          // elements of a row that are used
  int pitch;          // elements from the start of one row to the start of the next, at least width
};

struct Banks {
  int first;  // the bank that holds the element's first byte, 0 to 31
  int count;  // the number of banks that the element lies in
};

// In which banks does element [row][column] lie? Shared memory has 32 banks: successive words of 4 bytes lie
// in successive banks, and bank 0 follows bank 31. row and column are at least 0, column is below width.
// A host function: it launches no kernel.
Banks bank_of(SharedArray array, int row, int column);
