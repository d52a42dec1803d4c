// SPDX-License-Identifier: Apache-2.0
//
// Chapter 2, rectangular matrices: one thread for each element of P, without tiles. A square matrix has one
// width; here there are three sides, and at each place you need another one.
//
//   ./warplings check rect_matmul

#include "rect_matmul.h"

#define BLOCK_WIDTH 16

// P = M x N: M is j x k, N is k x l, P is j x l, row by row.
__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  // TODO 1: which row and which column of P does this thread compute?

  // TODO 2: does P have this row and this column?

  // TODO 3: add up the products of M's row and N's column. How many are there? How far apart do the elements
  // of a row lie in memory, and those of a column?

  // TODO 4: where in P does the sum belong?
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  // TODO 5: enough blocks to cover P. Which of its sides goes with x, and what if a side is 0?
  const dim3 block(BLOCK_WIDTH, BLOCK_WIDTH);
  const dim3 grid(1, 1);
  rect_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
