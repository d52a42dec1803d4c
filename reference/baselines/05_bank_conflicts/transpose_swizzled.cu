// SPDX-License-Identifier: Apache-2.0
//
// What a transposition without bank conflicts is measured against: the same tiles with 32-way conflicts.

#include "transpose_swizzled.h"

#define TILE 32

// Y = X transposed. Each block carries one tile through shared memory; the columns of the tile lie in one
// bank.
__global__ void conflicted_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE][TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int x_row = blockIdx.y * TILE + ty;
  const int x_column = blockIdx.x * TILE + tx;
  if (x_row < rows && x_column < columns) {
    tile[ty][tx] = X[x_row * columns + x_column];
  }
  __syncthreads();
  const int y_row = blockIdx.x * TILE + ty;
  const int y_column = blockIdx.y * TILE + tx;
  if (y_row < columns && y_column < rows) {
    Y[y_row * rows + y_column] = tile[tx][ty];  // 32 lanes, one bank
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, TILE);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  conflicted_kernel<<<grid, block>>>(X, Y, rows, columns);
}
