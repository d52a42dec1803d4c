// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the tile has one more row, [33][32], not one more column: its pitch stays 32, and the store
//   tile[lane][r] of a warp goes to 32 words of one bank, a 32-way conflict. And the sides are interchanged in the
//   check before the store to Y, which has `columns` rows of `rows` elements: for rows 64, columns 32 the columns 32 to
//   63 of Y are never stored; for rows 32, columns 64 the rows 32 to 63 of Y are not; for rows 40, columns 33 there are
//   stores past the end of Y (row 33).
// want: First: what is the distance, in words, between tile[0][5] and tile[1][5], and which banks is that? Then: how
//   many rows has Y, and how many elements has one of them?
#include "transpose_padded.h"

#define TILE 32
#define THREADS 256
#define WARPS (THREADS / 32)

// 256 threads in a line: a warp carries every eighth row of the tile.
__global__ void transpose_kernel(const float* __restrict__ X, float* __restrict__ Y, int rows, int columns) {
  __shared__ float tile[TILE + 1][TILE];

  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int top = blockIdx.y * TILE;
  const int left = blockIdx.x * TILE;

  // It is turned on the way in.
  for (int r = warp; r < TILE; r += WARPS) {
    const int row = top + r;
    const int column = left + lane;
    if (row < rows && column < columns) {
      tile[lane][r] = X[row * columns + column];
    }
  }
  __syncthreads();

  for (int r = warp; r < TILE; r += WARPS) {
    const int row = left + r;
    const int column = top + lane;
    if (row < rows && column < columns) {
      Y[row * rows + column] = tile[r][lane];
    }
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, THREADS>>>(X, Y, rows, columns);
}
