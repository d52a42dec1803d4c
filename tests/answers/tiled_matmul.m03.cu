// SPDX-License-Identifier: Apache-2.0
// mistake: the pointer into N walks TILE_WIDTH elements to the right after each phase, as M's does; it should go
//   TILE_WIDTH rows down, TILE_WIDTH * width elements.
// want: M's tile moves right, and N's moves down. How many elements of memory lie between an element of N and the one
//   TILE_WIDTH rows below it?
#include "tiled_matmul.h"

#define TILE_WIDTH 16

__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;
  const bool row_ok = row < width;
  const bool col_ok = col < width;

  // where this thread reads; saves the multiplications in the loop
  const float* m = M + row * width + tx;
  const float* n = N + ty * width + col;

  float sum = 0.0f;
  // left: how much of the row of M / column of N is still to do
  for (int left = width; left > 0; left -= TILE_WIDTH) {
    Mds[ty][tx] = row_ok && tx < left ? *m : 0.0f;
    Nds[ty][tx] = col_ok && ty < left ? *n : 0.0f;
    __syncthreads();

    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    __syncthreads();

    // next tiles
    m += TILE_WIDTH;
    n += TILE_WIDTH;
  }

  if (row_ok && col_ok) {
    P[row * width + col] = sum;
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width + TILE_WIDTH - 1) / TILE_WIDTH;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, tiles);
  tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
