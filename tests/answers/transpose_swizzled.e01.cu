// SPDX-License-Identifier: Apache-2.0
// mistake: the place is computed once, for row ty, and then only moved on by j rows; but the rotation depends on
//   the row, so that rows ty + 8, ty + 16, ty + 24 are stored with the rotation of ty and read with their own.
// want: Where do you store element [8][0], and where do you look for it later? Does place(ty + 8, tx) differ from
//   place(ty, tx) by eight rows only?

#include "transpose_swizzled.h"

#define TILE 32
#define ROWS 8

// Where element [row][column] of the tile lies: each row is rotated by its number.
__device__ int place(int row, int column) {
  return row * TILE + ((column + row) & (TILE - 1));
}

// Y = X transposed, four elements for each thread.
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE * TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  const int x_row = blockIdx.y * TILE + ty;
  const int x_column = blockIdx.x * TILE + tx;
  const int spot = place(ty, tx);
  for (int j = 0; j < TILE; j += ROWS) {
    if (x_row + j < rows && x_column < columns) {
      tile[spot + j * TILE] = X[(x_row + j) * columns + x_column];
    }
  }
  __syncthreads();

  const int y_row = blockIdx.x * TILE + ty;
  const int y_column = blockIdx.y * TILE + tx;
  for (int j = 0; j < TILE; j += ROWS) {
    if (y_row + j < columns && y_column < rows) {
      Y[(y_row + j) * rows + y_column] = tile[place(tx, ty + j)];
    }
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, ROWS);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
