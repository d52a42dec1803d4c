// SPDX-License-Identifier: Apache-2.0
//
// What tiling is measured against: every product fetches both factors from global memory.

#include "rect_tiled_matmul.h"

// P = M x N: M is j x k, N is k x l, P is j x l, row by row. A thread computes one element.
__global__ void naive_kernel(const float* M, const float* N, float* P, int j, int k, int l) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= j || col >= l) return;
  float sum = 0.0f;
  for (int i = 0; i < k; ++i) {
    sum += M[row * k + i] * N[i * l + col];
  }
  P[row * l + col] = sum;
}

void rect_tiled_matmul(const float* M, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 block(16, 16);
  const dim3 grid((l + 15) / 16, (j + 15) / 16);
  naive_kernel<<<grid, block>>>(M, N, P, j, k, l);
}
