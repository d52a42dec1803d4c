// SPDX-License-Identifier: Apache-2.0
// mistake: the check of N's row in the last phase uses tx, copied from M's line, where ty counts the row. In a
//   partial phase N's tile loses elements that exist (tx >= rest) and reads rows that do not (tx < rest, ty >= rest).
// want: In the last phase with width 20, only four rows of N are left. Which of a thread's two coordinates says
//   which of those rows it loads?

#include "tiled_matmul.h"

#define TILE_WIDTH 16

// P = M x N. Each thread has one pointer into M, one into N, and moves both from tile to tile.
__global__ void tiled_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;

  const float* m = M + row * width + tx;
  const float* n = N + ty * width + col;

  float sum = 0.0f;
  for (int rest = width; rest > 0; rest -= TILE_WIDTH) {  // what is left along the inner side
    Mds[ty][tx] = row < width && tx < rest ? *m : 0.0f;
    Nds[ty][tx] = col < width && tx < rest ? *n : 0.0f;
    __syncthreads();

#pragma unroll
    for (int k = 0; k < TILE_WIDTH; ++k) {
      sum += Mds[ty][k] * Nds[k][tx];
    }
    __syncthreads();

    m += TILE_WIDTH;
    n += TILE_WIDTH * width;
  }

  if (row < width && col < width) {
    P[row * width + col] = sum;
  }
}

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  const int tiles = (width - 1) / TILE_WIDTH + 1;

  const dim3 block(TILE_WIDTH, TILE_WIDTH);
  const dim3 grid(tiles, tiles);
  tiled_matmul_kernel<<<grid, block>>>(M, N, P, width);
}
