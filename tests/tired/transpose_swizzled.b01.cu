// SPDX-License-Identifier: Apache-2.0
// mistake: the column is xored with row % 8 (the thread's ty) instead of the whole row: a column of the tile lies
//   in 8 different banks only, a 4-way conflict for each read down a column.
// want: list the banks of the 32 elements of column 0 in your arrangement. How many different values has the
//   xored term over 32 rows?
#include "transpose_swizzled.h"

#define TILE 32
#define ROWS 8  // of threads

// Where element [row][column] of the tile lies, 0 to TILE * TILE - 1. Two elements never share a place.
__device__ int place(int row, int column) {
  return row * TILE + (column ^ (row % ROWS));
}

// Y = X transposed. 32 x 8 threads carry a tile in four steps.
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE * TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  const int x_column = blockIdx.x * TILE + tx;
  for (int step = 0; step < TILE; step += ROWS) {
    const int x_row = blockIdx.y * TILE + step + ty;
    if (x_row < rows && x_column < columns) {
      tile[(step + ty) * TILE + (tx ^ ty)] = X[x_row * columns + x_column];
    }
  }
  __syncthreads();

  const int y_column = blockIdx.y * TILE + tx;
  for (int step = 0; step < TILE; step += ROWS) {
    const int y_row = blockIdx.x * TILE + step + ty;
    if (y_row < columns && y_column < rows) {
      Y[y_row * rows + y_column] = tile[place(tx, step + ty)];
    }
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, ROWS);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
