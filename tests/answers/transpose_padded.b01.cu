// SPDX-License-Identifier: Apache-2.0
// mistake: the tile is padded by a 33rd row instead of a 33rd column: the rows are still 32 floats apart, and the
//   reads down a column are 32-way conflicts.
// want: how many floats lie between tile[0][c] and tile[1][c] in your declaration, and in which banks are the
//   two? The padding has to change the distance of the rows.
#include "transpose_padded.h"

#define TILE 32
#define ROWS 8  // of threads; each carries TILE / ROWS elements

// Y = X transposed. Each block carries one tile of X, TILE x TILE elements, through shared memory.
__global__ void transpose_kernel(const float* __restrict__ X, float* __restrict__ Y, int rows, int columns) {
  __shared__ float tile[TILE + 1][TILE];

  const int tx = threadIdx.x;
  const int x0 = blockIdx.x * TILE;
  const int y0 = blockIdx.y * TILE;

#pragma unroll
  for (int r = threadIdx.y; r < TILE; r += ROWS) {
    if (y0 + r < rows && x0 + tx < columns) {
      tile[r][tx] = X[(y0 + r) * columns + x0 + tx];
    }
  }
  __syncthreads();

#pragma unroll
  for (int r = threadIdx.y; r < TILE; r += ROWS) {
    if (x0 + r < columns && y0 + tx < rows) {
      Y[(x0 + r) * rows + y0 + tx] = tile[tx][r];
    }
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, ROWS);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
