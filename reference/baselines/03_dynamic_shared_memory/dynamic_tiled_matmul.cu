// SPDX-License-Identifier: Apache-2.0
//
// What tiles in dynamic shared memory are measured against: blocks of the same shape, and no tiles.

#include "dynamic_tiled_matmul.h"

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

void dynamic_tiled_matmul(const float* M, const float* N, float* P, int width, int tile) {
  const dim3 block(tile, tile);
  const dim3 grid((width + tile - 1) / tile, (width + tile - 1) / tile);
  naive_kernel<<<grid, block>>>(M, N, P, width);
}
