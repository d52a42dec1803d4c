// SPDX-License-Identifier: Apache-2.0
// mistake: a block carries four tiles one after another through the same shared tile, and there is no barrier between the
//   last read of one and the first write of the next: a fast warp overwrites rows that a slow one still has to read. A
//   race as soon as rows is over 32 (64 x 32, say).
// want: One warp is done with its part of the first tile and begins with the second. Which elements may another warp
//   still want to read?
#include "transpose_padded.h"

#define TILE 32
#define ROWS 8    // of threads in a block
#define STEPS 4   // tiles that a block carries, one below the other

__global__ void transpose_steps(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE][TILE + 1];

  const int left = blockIdx.x * TILE;
  for (int step = 0; step < STEPS; ++step) {
    const int top = (blockIdx.y * STEPS + step) * TILE;
    if (top >= rows) break;

    for (int r = threadIdx.y; r < TILE; r += ROWS) {
      if (top + r < rows && left + threadIdx.x < columns) {
        tile[r][threadIdx.x] = X[(top + r) * columns + left + threadIdx.x];
      }
    }

    __syncthreads();  // the tile is complete

    for (int c = threadIdx.y; c < TILE; c += ROWS) {
      if (left + c < columns && top + threadIdx.x < rows) {
        Y[(left + c) * rows + top + threadIdx.x] = tile[threadIdx.x][c];
      }
    }
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, ROWS);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE * STEPS - 1) / (TILE * STEPS));
  transpose_steps<<<grid, block>>>(X, Y, rows, columns);
}
