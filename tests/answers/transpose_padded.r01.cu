// SPDX-License-Identifier: Apache-2.0
// mistake: the rows are padded by four floats instead of one, so the elements of a column lie 36 words apart: banks 0, 4,
//   8, ... 28, and then 0 again. Each load of a column of a full tile is a 4-way conflict (rows 0, 8, 16, 24
//   meet); from 9 rows on at least two meet, up to 8 rows none do. The values are right and both sides of
//   global memory see rows.
// want: Your tile has padding. Write down the banks of the first ten elements of one column of it.
#include "transpose_padded.h"

#define TILE 32
#define ROWS_AT_ONCE 8
#define PITCH (TILE + 4)  // 144 bytes, so that each row starts at a multiple of 16

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE * PITCH];

  const int r0 = blockIdx.y * TILE;
  const int c0 = blockIdx.x * TILE;

  for (int r = threadIdx.y; r < TILE; r += ROWS_AT_ONCE) {
    const int row = r0 + r;
    const int column = c0 + threadIdx.x;
    if (row < rows && column < columns) {
      tile[r * PITCH + threadIdx.x] = X[row * columns + column];
    }
  }
  __syncthreads();

  for (int r = threadIdx.y; r < TILE; r += ROWS_AT_ONCE) {
    const int row = c0 + r;  // of Y
    const int column = r0 + threadIdx.x;
    if (row < columns && column < rows) {
      Y[row * rows + column] = tile[threadIdx.x * PITCH + r];
    }
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, ROWS_AT_ONCE);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
