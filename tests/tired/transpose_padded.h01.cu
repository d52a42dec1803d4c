// SPDX-License-Identifier: Apache-2.0
// mistake: threads whose column of X does not exist return before the barrier; after it each of them would have to
//   store a part of Y, so that where columns is no multiple of 32 elements of Y are never written.
// want: Which threads leave your kernel early, and by what test? Is a thread without an element to load also one
//   without an element to store, once rows and columns are turned?

#include "transpose_padded.h"

#define TILE 32
#define ROWS 8  // rows of threads; each thread carries TILE / ROWS elements

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE][TILE + 1];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  const int x_column = blockIdx.x * TILE + tx;
  if (x_column >= columns) return;

  for (int j = ty; j < TILE; j += ROWS) {
    const int x_row = blockIdx.y * TILE + j;
    if (x_row < rows) {
      tile[j][tx] = X[x_row * columns + x_column];
    }
  }
  __syncthreads();

  const int y_column = blockIdx.y * TILE + tx;
  for (int j = ty; j < TILE; j += ROWS) {
    const int y_row = blockIdx.x * TILE + j;
    if (y_row < columns && y_column < rows) {
      Y[y_row * rows + y_column] = tile[tx][j];
    }
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, ROWS);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
