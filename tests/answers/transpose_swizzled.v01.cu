// SPDX-License-Identifier: Apache-2.0
// mistake: moves groups of four elements by the row modulo 8, as is done for vector accesses. No two elements share a
//   place and rows are fine, but a column sees 8 banks only: column 0 lies in bank 4 x (row % 8), rows 0, 8, 16 and 24
//   all in bank 0: a 4-way conflict in each read of the tile. Values are right.
// want: Write down the banks of the 32 elements of column 0. How many different ones are there?
#include "transpose_swizzled.h"

#define TILE 32

// Where element [row][column] of the tile lies, 0 to TILE * TILE - 1. Two elements never share a place.
__device__ int place(int row, int column) {
  const int chunk = column / 4;              // 8 chunks of 16 bytes in a row
  const int swizzled = chunk ^ (row % 8);    // each row in another order
  return row * TILE + swizzled * 4 + column % 4;
}

// Y = X transposed. Each block carries one tile of X through shared memory; both sides see rows.
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
