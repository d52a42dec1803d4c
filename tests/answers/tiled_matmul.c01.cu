// SPDX-License-Identifier: Apache-2.0
// mistake: where an element does not exist, both loads take the nearest one that does (row and column clamped to
//   width - 1) instead of 0; the last phase then adds M[row][width - 1] * N[width - 1][col] once more for each k of the
//   tile past the edge.
// want: With width 17, what do k = 1 to 15 of the second phase add to the sum, and what should they add?
#include "tiled_matmul.h"

#define TILE_WIDTH 16

__device__ float at_clamped(const float* A, int r, int c, int width) {
  // never outside, no branch
  return A[min(r, width - 1) * width + min(c, width - 1)];
}

__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;

  const int phases = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  float sum = 0.0f;
  for (int phase = 0; phase < phases; ++phase) {
    Mds[ty][tx] = at_clamped(M, row, phase * TILE_WIDTH + tx, width);
    Nds[ty][tx] = at_clamped(N, phase * TILE_WIDTH + ty, col, width);
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    __syncthreads();
  }

  if (row < width && col < width) {
    P[row * width + col] = sum;
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, tiles);
  tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
