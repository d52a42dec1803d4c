// SPDX-License-Identifier: Apache-2.0
// mistake: takes k for the length of a row of N (N[i * k + col]); N is k x l, a row of it has l elements.
// want: From N[i][col] to N[i + 1][col], one row further down: how many elements lie in between? How long is a row
//   of a k x l matrix?
#include "rect_matmul.h"

#define BLOCK_WIDTH 16

__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= j || col >= l) return;

  float acc = 0;
  for (int i = 0; i < k; i++) {
    acc += M[row * k + i] * N[i * k + col];
  }
  P[row * l + col] = acc;
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;  // no P
  dim3 block(BLOCK_WIDTH, BLOCK_WIDTH);
  dim3 grid((l + BLOCK_WIDTH - 1) / BLOCK_WIDTH, (j + BLOCK_WIDTH - 1) / BLOCK_WIDTH);
  rect_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
