// SPDX-License-Identifier: Apache-2.0
// mistake: two. The grid has the tiles of rows in x and those of columns in y, but the kernel takes x for columns:
//   tiles are left out where the numbers differ. And the guard of the loads forgets j: rows behind X are read.
// want: For X of 32 x 96: how many blocks lie in x and in y, and which columns of X do they reach? Then, with 33
//   rows: which rows does a thread with ty = 0 of the lower tile load?

#include "transpose_padded.h"

constexpr int kTile = 32;
constexpr int kStep = 8;

__global__ void transpose_kernel(const float* __restrict__ X, float* __restrict__ Y, int rows, int columns) {
  __shared__ float tile[kTile][kTile + 1];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int left = blockIdx.x * kTile;
  const int top = blockIdx.y * kTile;

#pragma unroll
  for (int j = 0; j < kTile; j += kStep) {
    if (top + ty < rows && left + tx < columns) {
      tile[ty + j][tx] = X[(top + ty + j) * columns + left + tx];
    }
  }
  __syncthreads();

#pragma unroll
  for (int j = 0; j < kTile; j += kStep) {
    const int y_row = left + ty + j;
    const int y_column = top + tx;
    if (y_row < columns && y_column < rows) {
      Y[y_row * rows + y_column] = tile[tx][ty + j];
    }
  }
}

static int tiles(int length) {
  return (length + kTile - 1) / kTile;
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  transpose_kernel<<<dim3(tiles(rows), tiles(columns)), dim3(kTile, kStep)>>>(X, Y, rows, columns);
}
