// SPDX-License-Identifier: Apache-2.0
// mistake: a thread stores four rows of the tile, and the row with which the column is combined is that of the first (ty)
//   in all of them, while the reading side takes the element's own row. Element [8][0] is stored at 8 x 32 + (0 ^ 0),
//   and looked for at 8 x 32 + (0 ^ 8), where [8][8] is: rows 32, columns 32, Y[0 * 32 + 8] is X[8 * 32 + 8].
//   Only rows 0 to 7 of a tile are right. No conflicts, and no place is taken twice.
// want: where does your kernel store element [8][0] of the tile, and where does it look for it?
#include "transpose_swizzled.h"

#define TILE 32
#define ROWS 8

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE * TILE];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  const int x_column = blockIdx.x * TILE + tx;
  const int x_row = blockIdx.y * TILE + ty;
  const int spot = ty * TILE + (tx ^ ty);
#pragma unroll
  for (int k = 0; k < TILE; k += ROWS) {
    if (x_column < columns && x_row + k < rows) {
      tile[spot + k * TILE] = X[(x_row + k) * columns + x_column];
    }
  }
  __syncthreads();

  const int y_column = blockIdx.y * TILE + tx;
  const int y_row = blockIdx.x * TILE + ty;
#pragma unroll
  for (int k = 0; k < TILE; k += ROWS) {
    if (y_column < rows && y_row + k < columns) {
      Y[(y_row + k) * rows + y_column] = tile[tx * TILE + ((ty + k) ^ tx)];
    }
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, ROWS);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
