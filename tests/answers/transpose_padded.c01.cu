// SPDX-License-Identifier: Apache-2.0
// mistake: blocks of 32 x 8 threads, four rows for each thread, and the check of the edge stands outside the loops,
//   for the first of the four rows only: where rows is no multiple of 32, it reads behind the end of X, and where
//   columns is none, it writes behind the end of Y.
// want: rows = 33, ty = 0 in the lower tile: which four rows does this thread read, and which of them exist? Where is
//   each one checked?
#include "transpose_padded.h"

#define TILE 32
#define BLOCK_ROWS 8

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE][TILE + 1];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  int r = blockIdx.y * TILE + ty;
  int c = blockIdx.x * TILE + tx;
  if (r < rows && c < columns) {
#pragma unroll
    for (int j = 0; j < TILE; j += BLOCK_ROWS) {
      tile[ty + j][tx] = X[(r + j) * columns + c];
    }
  }

  __syncthreads();

  r = blockIdx.x * TILE + ty;
  c = blockIdx.y * TILE + tx;
  if (r < columns && c < rows) {
#pragma unroll
    for (int j = 0; j < TILE; j += BLOCK_ROWS) {
      Y[(r + j) * rows + c] = tile[tx][ty + j];
    }
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, BLOCK_ROWS);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
