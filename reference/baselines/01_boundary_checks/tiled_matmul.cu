// SPDX-License-Identifier: Apache-2.0
//
// What tiling is measured against: every product fetches both factors from global memory.

#include "tiled_matmul.h"

// P = M x N, all width x width, row by row. A thread computes one element.
__global__ void naive_kernel(const float* M, const float* N, float* P, int width) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= width || col >= width) return;
  float sum = 0.0f;
  for (int k = 0; k < width; ++k) {
    sum += M[row * width + k] * N[k * width + col];
  }
  P[row * width + col] = sum;
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const dim3 block(16, 16);
  const dim3 grid((width + 15) / 16, (width + 15) / 16);
  naive_kernel<<<grid, block>>>(M, N, P, width);
}
