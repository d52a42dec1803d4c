// SPDX-License-Identifier: Apache-2.0
//
// What tiling is measured against: every product fetches both factors from global memory.

#include "rect_tiled_transposed.h"

// P = M x N: Mt, k x j, is M transposed; N is k x l, P is j x l, row by row. A thread computes one element.
__global__ void naive_kernel(const float* Mt, const float* N, float* P, int j, int k, int l) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= j || col >= l) return;
  float sum = 0.0f;
  for (int i = 0; i < k; ++i) {
    sum += Mt[i * j + row] * N[i * l + col];
  }
  P[row * l + col] = sum;
}

void rect_tiled_transposed(const float* Mt, const float* N, float* P, int j, int k, int l) {
  if (j == 0 || l == 0) return;
  const dim3 block(16, 16);
  const dim3 grid((l + 15) / 16, (j + 15) / 16);
  naive_kernel<<<grid, block>>>(Mt, N, P, j, k, l);
}
