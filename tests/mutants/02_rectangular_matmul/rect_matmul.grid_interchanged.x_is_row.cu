// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the kernel takes x for rows, and the grid for columns.
#include "rect_matmul.h"

#define BLOCK_WIDTH 16

__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int row = blockIdx.x * BLOCK_WIDTH + threadIdx.x;
  const int col = blockIdx.y * BLOCK_WIDTH + threadIdx.y;
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
  const dim3 grid((l + BLOCK_WIDTH - 1) / BLOCK_WIDTH, (j + BLOCK_WIDTH - 1) / BLOCK_WIDTH);
  rect_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
