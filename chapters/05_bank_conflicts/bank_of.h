// SPDX-License-Identifier: Apache-2.0
#pragma once

// In which banks of shared memory does element [row][column] of a two-dimensional array lie?
//
// Shared memory has 32 banks: successive words of 4 bytes lie in successive banks, and bank 0 follows bank
// 31. The array is stored row by row. row and column are at least 0, and column is below width.
//
// Graded:
//   - first and count are right for every array and every element of it.
//   - The function runs on the host and launches no kernel (see chapters/grading.md).

// For `__shared__ float tile[32][33]`, of which a kernel uses 32 columns, element_bytes is 4, width 32 and
// pitch 33.
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

Banks bank_of(SharedArray array, int row, int column);
