// SPDX-License-Identifier: Apache-2.0
// mistake: the swizzle uses the row's lowest three bits only (as the block has 8 rows of threads), so that a column's
//   32 elements lie in 8 different banks: every column read is a 4-way conflict.
// want: How many different values does the term that you XOR with take, over the 32 rows of the tile? In how many
//   banks can one column's elements then lie?

#include "transpose_swizzled.h"

#define TILE 32
#define BLOCK_ROWS 8

__device__ __forceinline__ int place(int row, int column) {
  return row * TILE + (column ^ (row & (BLOCK_ROWS - 1)));
}

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE * TILE];

  const int tx = threadIdx.x;
  const int x_column = blockIdx.x * TILE + tx;
  const int y_column = blockIdx.y * TILE + tx;

#pragma unroll
  for (int r = threadIdx.y; r < TILE; r += BLOCK_ROWS) {
    const int x_row = blockIdx.y * TILE + r;
    if (x_row < rows && x_column < columns) {
      tile[place(r, tx)] = X[x_row * columns + x_column];
    }
  }
  __syncthreads();

#pragma unroll
  for (int r = threadIdx.y; r < TILE; r += BLOCK_ROWS) {
    const int y_row = blockIdx.x * TILE + r;
    if (y_row < columns && y_column < rows) {
      Y[y_row * rows + y_column] = tile[place(tx, r)];
    }
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, dim3(TILE, BLOCK_ROWS)>>>(X, Y, rows, columns);
}
