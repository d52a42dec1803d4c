// SPDX-License-Identifier: Apache-2.0
// mistake: turns over the elements inside a tile but not the tiles: y_row still comes from blockIdx.y and y_column
//   from blockIdx.x, so that each tile is written where it stood in X.
// want: Where in Y does the tile of X lie that is in tile row 0 and tile column 2? Which of blockIdx.x and blockIdx.y
//   then says the row of Y?
#include "transpose_padded.h"

#define TILE 32

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE][TILE + 1];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * TILE + ty;
  const int column = blockIdx.x * TILE + tx;

  if (row < rows && column < columns) {
    tile[ty][tx] = X[row * columns + column];
  }
  __syncthreads();

  // neighbouring threads write neighbours: tx must be the column of Y
  if (row < columns && column < rows) {
    Y[row * rows + column] = tile[tx][ty];
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, TILE);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
