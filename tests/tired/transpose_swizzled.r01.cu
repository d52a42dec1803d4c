// SPDX-License-Identifier: Apache-2.0
// mistake: the store into the tile swizzles with threadIdx.y, the load with the row of the tile. With 8 rows at once these
//   are the same only for rows 0 to 7. Element [8][0] is stored at 8 * 32 + (0 ^ 0) = 256 and looked for at 8 * 32 + (0 ^
//   8) = 264, where [8][8] lies: Y[8] is X[8 * columns + 8]. Right while rows is at most 8. Neither side has a conflict.
// want: Follow element [8][0] of the tile: where does the first loop put it, and where does the second one look for it?
#include "transpose_swizzled.h"

#define TILE 32
#define HEIGHT 8

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE][TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  for (int r = ty; r < TILE; r += HEIGHT) {
    const int x_row = blockIdx.y * TILE + r;
    const int x_column = blockIdx.x * TILE + tx;
    if (x_row < rows && x_column < columns) {
      tile[r][tx ^ ty] = X[x_row * columns + x_column];
    }
  }
  __syncthreads();

  for (int r = ty; r < TILE; r += HEIGHT) {
    const int y_row = blockIdx.x * TILE + r;
    const int y_column = blockIdx.y * TILE + tx;
    if (y_row < columns && y_column < rows) {
      // here tx is the row of the tile
      Y[y_row * rows + y_column] = tile[tx][r ^ tx];
    }
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, HEIGHT);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
