// SPDX-License-Identifier: Apache-2.0
// mistake: the guard of the writing half is that of the loading half, with y_row below rows and y_column below
//   columns; Y has `columns` rows, so that for a rectangle elements stay unwritten, or it writes behind Y.
// want: How many rows has Y, and how many columns? Square matrices come out right: what does your last if compare
//   with what?

#include "transpose_swizzled.h"

#define TILE 32
#define THREADS 256

__device__ inline int place(int row, int column) {
  return row * TILE + (column ^ row);
}

__device__ inline bool inside(int row, int column, int rows, int columns) {
  return row < rows && column < columns;
}

// A block of 256 threads in a row; each warp carries four rows of the tile.
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE * TILE];

  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;

  for (int r = warp; r < TILE; r += THREADS / 32) {
    const int x_row = blockIdx.y * TILE + r;
    const int x_column = blockIdx.x * TILE + lane;
    if (inside(x_row, x_column, rows, columns)) {
      tile[place(r, lane)] = X[x_row * columns + x_column];
    }
  }
  __syncthreads();

  for (int r = warp; r < TILE; r += THREADS / 32) {
    const int y_row = blockIdx.x * TILE + r;
    const int y_column = blockIdx.y * TILE + lane;
    if (inside(y_row, y_column, rows, columns)) {
      Y[y_row * rows + y_column] = tile[place(lane, r)];
    }
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, THREADS>>>(X, Y, rows, columns);
}
