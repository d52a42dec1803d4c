// SPDX-License-Identifier: Apache-2.0
// mistake: padding of one a row, wrapped at the end of the tile; the gaps stay empty and so there is not room for
//   all: elements 1 to 31 of row 31 land on the places of row 0, and both overwrite each other.
// want: Do 1024 elements with gaps between them fit into 1024 places? Which other element has the place of [31][1]?

#include "transpose_swizzled.h"

#define TILE 32

// Where element [row][column] of the tile lies. Like a pitch of 33, and the end wraps to the start.
__device__ int place(int row, int column) {
  return (row * (TILE + 1) + column) % (TILE * TILE);
}

// Y = X transposed. Each block carries one tile of X through shared memory; both sides see rows.
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE * TILE];

  const int tx = threadIdx.x;
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
