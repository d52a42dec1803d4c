// SPDX-License-Identifier: Apache-2.0
//
// Chapter 5, bank conflicts. Padding costs shared memory, and shared memory may be what limits occupancy.
// This tile has no room for padding. Arrange its elements so that each row *and* each column lies in 32
// different banks. One function decides where an element lies; only that function has to change.
//
//   ./warplings check transpose_swizzled

#include "transpose_swizzled.h"

#define TILE 32

// The index of element [row][column] in the tile, 0 to TILE * TILE - 1. No two elements share an index.
__device__ int place(int row, int column) {
  // TODO: the 32 elements of a row must lie in different banks, and so must the 32 elements of a column.
  return row * TILE + column;
}

// Y = X transposed. Each block moves one tile of X through shared memory; loads and stores go along rows.
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE * TILE];

  const int tx = threadIdx.x;  // neighbouring threads of a warp differ in tx
  const int ty = threadIdx.y;

  const int x_row = blockIdx.y * TILE + ty;
  const int x_column = blockIdx.x * TILE + tx;
  if (x_row < rows && x_column < columns) {
    tile[place(ty, tx)] = X[x_row * columns + x_column];
  }
  __syncthreads();

  const int y_row = blockIdx.x * TILE + ty;
  const int y_column = blockIdx.y * TILE + tx;
  if (y_row < columns && y_column < rows) {
    Y[y_row * rows + y_column] = tile[place(tx, ty)];
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, TILE);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
