// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the grid is that of blocks twice as wide.
#include "rect_matmul.h"

#define BLOCK_WIDTH 16

__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int row = blockIdx.y * BLOCK_WIDTH + threadIdx.y;
  const int col = blockIdx.x * BLOCK_WIDTH + threadIdx.x;
  if (row < j && col < l) {
    float sum = 0.0f;
    for (int i = 0; i < k; ++i) {
      sum += M[row * k + i] * N[i * l + col];
    }
    P[row * l + col] = sum;
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;

  const dim3 block(BLOCK_WIDTH, BLOCK_WIDTH);
  const dim3 grid((l + 31) / 32, (j + 31) / 32);
  rect_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
