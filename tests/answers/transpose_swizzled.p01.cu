// SPDX-License-Identifier: Apache-2.0
// mistake: the tile is turned the wrong way round: element [row][column] lies in row (row + column) % 32 of the tile, but
//   still in its own column, and the bank is the column. Elements [0][5] to [31][5] all lie in bank 5: a 32-way conflict
//   when a column is read. Each element has a place of its own, and the values are right.
// want: At which place do elements [0][5] and [1][5] lie, and in which banks is that? Which part of a place decides on
//   its bank?
#include "transpose_swizzled.h"

#define TILE 32

// Diagonals: where element [row][column] of the tile lies. Going along a row or down a column moves on one
// diagonal each time.
__device__ __forceinline__ int place(int row, int column) {
  const int diagonal = (row + column) & (TILE - 1);
  return diagonal * TILE + column;
}

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE * TILE];

  const int tx = threadIdx.x % TILE;
  const int ty = threadIdx.x / TILE;
  const int rows_of_threads = blockDim.x / TILE;

  const int x0 = blockIdx.x * TILE;
  const int y0 = blockIdx.y * TILE;

  for (int r = ty; r < TILE; r += rows_of_threads)
    if (y0 + r < rows && x0 + tx < columns)
      tile[place(r, tx)] = X[(y0 + r) * columns + (x0 + tx)];
  __syncthreads();
  for (int c = ty; c < TILE; c += rows_of_threads)
    if (x0 + c < columns && y0 + tx < rows)
      Y[(x0 + c) * rows + (y0 + tx)] = tile[place(tx, c)];
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, 256>>>(X, Y, rows, columns);  // 8 rows of 32 threads
}
