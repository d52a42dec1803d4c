// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the products are added to what P happens to hold.
#include "rect_matmul.h"

#define BLOCK_WIDTH 16

__global__ void rect_matmul_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int row = blockIdx.y * BLOCK_WIDTH + threadIdx.y;
  const int col = blockIdx.x * BLOCK_WIDTH + threadIdx.x;
  if (row < j && col < l) {
    for (int i = 0; i < k; ++i) {
      P[row * l + col] += M[row * k + i] * N[i * l + col];
    }
  }
}

void rect_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;

  const dim3 block(BLOCK_WIDTH, BLOCK_WIDTH);
  const dim3 grid((l + BLOCK_WIDTH - 1) / BLOCK_WIDTH, (j + BLOCK_WIDTH - 1) / BLOCK_WIDTH);
  rect_matmul_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
