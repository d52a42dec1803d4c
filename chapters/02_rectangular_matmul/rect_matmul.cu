// SPDX-License-Identifier: Apache-2.0
//
// Chapter 2, rectangular matrices: one thread for each element of P, without tiles. Square matrices have one
// width. Here there are three sizes, j, k and l, and each line of the kernel needs the right one.
//
//   ./warplings check rect_matmul

#include "rect_matmul.h"

#define BLOCK_WIDTH 16

// P = M x N: M is j x k, N is k x l, P is j x l, all stored row by row.
__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  // TODO 1: which row and which column of P does this thread compute?

  // TODO 2: does P have that row and that column?

  // TODO 3: add up the products of M's row and N's column. How many are there? How far apart in memory are
  // neighbouring elements of a row, and of a column?

  // TODO 4: at which index of P does the sum belong?
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  // TODO 5: launch enough blocks to cover P. Which size belongs to x, which to y? What if a size is 0?
  const dim3 block(BLOCK_WIDTH, BLOCK_WIDTH);
  const dim3 grid(1, 1);
  rect_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
