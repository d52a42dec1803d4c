// SPDX-License-Identifier: Apache-2.0
// mistake: two: the tile is written rotated by + row and read rotated by - row, "to undo it", so that other elements
//   than those wanted are read; and the guard before the storing loop tests only the thread's first row of Y, so that
//   later rows beyond `columns` are stored past the end of Y.
// want: Where did you put element [3][5], and where do you look for it? Then: for which of the four rows that a thread
//   stores does your guard make sure that it exists?

#include "transpose_swizzled.h"

constexpr int kTile = 32;
constexpr int kRows = 8;

// rotated on the way in ...
__device__ int place_in(int row, int column) { return row * kTile + ((column + row) & 31); }

// ... and back on the way out
__device__ int place_out(int row, int column) { return row * kTile + ((column - row) & 31); }

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[kTile * kTile];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  const int x_row = blockIdx.y * kTile + ty;
  const int x_column = blockIdx.x * kTile + tx;
  for (int j = 0; j < kTile; j += kRows) {
    if (x_row + j < rows && x_column < columns) {
      tile[place_in(ty + j, tx)] = X[(x_row + j) * columns + x_column];
    }
  }
  __syncthreads();

  const int y_row = blockIdx.x * kTile + ty;
  const int y_column = blockIdx.y * kTile + tx;
  if (y_row < columns && y_column < rows) {
    for (int j = 0; j < kTile; j += kRows) {
      Y[(y_row + j) * rows + y_column] = tile[place_out(tx, ty + j)];
    }
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 block(kTile, kRows);
  const dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
