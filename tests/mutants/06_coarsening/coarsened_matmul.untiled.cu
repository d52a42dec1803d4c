// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: four elements a thread, but every operand comes from global memory.
#include "coarsened_matmul.h"

#define TILE_WIDTH 32
#define COARSE_FACTOR 4

__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  const int row = blockIdx.y * TILE_WIDTH + threadIdx.y;
  const int first_col = blockIdx.x * TILE_WIDTH * COARSE_FACTOR + threadIdx.x;
  if (row >= width) {
    return;
  }
  for (int c = 0; c < COARSE_FACTOR; ++c) {
    const int col = first_col + c * TILE_WIDTH;
    if (col < width) {
      float sum = 0.0f;
      for (int k = 0; k < width; ++k) {
        sum += M[row * width + k] * N[k * width + col];
      }
      P[row * width + col] = sum;
    }
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  const int span = TILE_WIDTH * COARSE_FACTOR;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid((width + span - 1) / span, (width + TILE_WIDTH - 1) / TILE_WIDTH);
  coarsened_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
