// SPDX-License-Identifier: Apache-2.0
//
// Chapter 5, bank conflicts. The kernel below is right, and slow: neighbouring threads write to Y
// `rows` elements apart. The tile in shared memory is there already; it can turn rows into columns, so that
// both sides of it see rows. Do TODO 1 first, look at the report, and then do TODO 2.
//
//   ./warplings check transpose_padded

#include "transpose_padded.h"

#define TILE 32

// Y = X transposed. Each block carries one tile of X, TILE x TILE elements, through shared memory.
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  // TODO 2: in which banks do the elements of one column of this tile lie?
  __shared__ float tile[TILE][TILE];

  const int tx = threadIdx.x;  // neighbouring threads of a warp differ in tx
  const int ty = threadIdx.y;

  const int x_row = blockIdx.y * TILE + ty;
  const int x_column = blockIdx.x * TILE + tx;
  if (x_row < rows && x_column < columns) {
    tile[ty][tx] = X[x_row * columns + x_column];
  }
  __syncthreads();

  // TODO 1: which tile of Y is this block's, and which element of it should this thread write, so that
  // neighbouring threads write neighbouring elements? Where in the tile does that element lie?
  const int y_row = x_column;
  const int y_column = x_row;
  if (y_row < columns && y_column < rows) {
    Y[y_row * rows + y_column] = tile[ty][tx];
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, TILE);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
