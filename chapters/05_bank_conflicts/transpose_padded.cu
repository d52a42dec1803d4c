// SPDX-License-Identifier: Apache-2.0
//
// Chapter 5, bank conflicts. The kernel below is right but slow: neighbouring threads store elements of Y
// that are `rows` apart. Let the tile in shared memory turn rows into columns: a warp then loads a row of X
// and stores a row of Y. Do TODO 1, near the end of the kernel, first. Read the report before you do TODO 2.
//
//   ./warplings check transpose_padded

#include "transpose_padded.h"

#define TILE 32

// Y = X transposed. Each block moves one tile of X, TILE x TILE elements, through shared memory.
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  // TODO 2, after TODO 1: in which banks do the elements of one column of this tile lie? How wide must a row
  // of the tile be so that they lie in 32 different banks?
  __shared__ float tile[TILE][TILE];

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
