// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: a thread computes up to four rows, 16 x gridDim.y apart, and sum is not set back to 0 between
//   them. j = 17, k = 1, l = 1, all ones: gridDim.y is 1, thread (0, 0) has rows 0 and 16, and P[16] is 2 instead of 1. And
//   where k is 0 nothing is launched nor set, so that P keeps its old values instead of zeros: j = 2, k = 0, l = 3.
// want: Two questions. j = 17 and all else 1: what is in sum when thread (0, 0) comes to its second row? And what has to
//   stand in a 2 x 3 matrix P when k is 0?
#include "rect_matmul.h"

#define BLOCK_WIDTH 16
#define ROWS_PER_THREAD 4

__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= l) return;

  float sum = 0.0f;
  // Fewer blocks from top to bottom than P has: each thread goes on with the row one grid further down.
  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < j; row += gridDim.y * blockDim.y) {
    for (int i = 0; i < k; ++i) {
      sum += M[row * k + i] * N[i * l + col];
    }
    P[row * l + col] = sum;
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  // An empty matrix: nothing to multiply.
  if (j == 0 || k == 0 || l == 0) return;

  const dim3 block(BLOCK_WIDTH, BLOCK_WIDTH);
  const int rows = BLOCK_WIDTH * ROWS_PER_THREAD;
  const dim3 grid((l + BLOCK_WIDTH - 1) / BLOCK_WIDTH, (j + rows - 1) / rows);
  rect_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
