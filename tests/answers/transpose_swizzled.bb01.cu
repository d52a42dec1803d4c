// SPDX-License-Identifier: Apache-2.0
// mistake: the blocks are renumbered along diagonals by the rule for square grids: the tile's row is blockIdx.x, so it
//   only reaches gridDim.x - 1. rows 64, columns 32: the grid is 1 x 2, both blocks get tile (0, 0), and columns 32 to
//   63 of Y are never stored. The rotation of the rows in the tile is right.
// want: rows is 64 and columns is 32: which tile does each of the two blocks carry?
#include "transpose_swizzled.h"

#define TILE 32
#define ROWS 8

// Row r of the tile is turned by r places.
__device__ int place(int row, int column) {
  return row * TILE + (column + row) % TILE;
}

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE * TILE];

  // Blocks in diagonal order, so that not all of them write to the same part of memory at a time.
  const int tile_row = blockIdx.x;
  const int tile_column = (blockIdx.x + blockIdx.y) % gridDim.x;

  const int tx = threadIdx.x;
  int row = tile_row * TILE + threadIdx.y;
  int column = tile_column * TILE + tx;
  for (int j = 0; j < TILE; j += ROWS) {
    if (row + j < rows && column < columns) {
      tile[place(threadIdx.y + j, tx)] = X[(row + j) * columns + column];
    }
  }
  __syncthreads();

  row = tile_column * TILE + threadIdx.y;
  column = tile_row * TILE + tx;
  for (int j = 0; j < TILE; j += ROWS) {
    if (row + j < columns && column < rows) {
      Y[(row + j) * rows + column] = tile[place(tx, threadIdx.y + j)];
    }
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, ROWS);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
