// SPDX-License-Identifier: Apache-2.0
// mistake: The block has 32 x 8 threads, and each moves one element.
// want: The block has 32 x 8 threads for a tile of 32 x 32: launch more, or let each thread move
//   four elements.

#include "transpose_padded.h"

#define TILE 32

// Y = X transposed. Each block moves one tile of X, TILE x TILE elements, through shared memory.
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  // TODO 2, after TODO 1: in which banks do the elements of one column of this tile lie? How wide must a row
  // of the tile be so that they lie in 32 different banks?
  __shared__ float tile[TILE][TILE + 1];

  const int tx = threadIdx.x;  // neighbouring threads of a warp differ in tx
  const int ty = threadIdx.y;

  const int x_row = blockIdx.y * TILE + ty;
  const int x_column = blockIdx.x * TILE + tx;
  if (x_row < rows && x_column < columns) {
    tile[ty][tx] = X[x_row * columns + x_column];
  }
  __syncthreads();

  // TODO 1: which tile of Y does this block store? Which element of it should this thread store, so that
  // neighbouring threads store neighbouring elements? Where in the shared tile is that element?
  const int y_row = blockIdx.x * TILE + ty;
  const int y_column = blockIdx.y * TILE + tx;
  if (y_row < columns && y_column < rows) {
    Y[y_row * rows + y_column] = tile[tx][ty];
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, 8);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
