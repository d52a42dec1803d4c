// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: a block carries four tiles, one after another, through the same shared memory, and no barrier
//   stands between reading one tile and storing the next: a race as soon as rows is above 32. And before storing
//   to Y only the place in all of Y is checked, not the column, so that the tile's surplus columns land in the next
//   row of Y: rows 33, columns 2, tile 1: y_row 0 and y_column 33 make place 33, which is Y[1][0].
// want: rows 33, columns 2: which thread of the second tile has y_column 33, and which element of Y is at the place that
//   it stores to? Then: who may still read the tile when the next is loaded?
#include "transpose_padded.h"

constexpr int kTile = 32;
constexpr int kStep = 8;    // rows of threads
constexpr int kTiles = 4;   // of one block, one below the other

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[kTile][kTile + 1];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int left = blockIdx.x * kTile;
  const int size = rows * columns;

  for (int n = 0; n < kTiles; ++n) {
    const int top = (blockIdx.y * kTiles + n) * kTile;

    for (int k = ty; k < kTile; k += kStep) {
      const int row = top + k;
      const int column = left + tx;
      if (row < rows && column < columns) tile[k][tx] = X[row * columns + column];
    }
    __syncthreads();

    for (int k = ty; k < kTile; k += kStep) {
      const int place = (left + k) * rows + top + tx;
      if (place < size) Y[place] = tile[tx][k];
    }
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const int high = kTile * kTiles;
  const dim3 grid((columns + kTile - 1) / kTile, (rows + high - 1) / high);
  transpose_kernel<<<grid, dim3(kTile, kStep)>>>(X, Y, rows, columns);
}
