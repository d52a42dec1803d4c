// SPDX-License-Identifier: Apache-2.0
// mistake: two. (1) The guard of the store compares the row of Y with rows and the column of Y with columns; Y has
//   `columns` rows of `rows` elements. Where the matrix is not square, elements are missing and others are stored at
//   wrong places or beyond the end (40 x 70: rows 40 to 69 of Y). (2) A padding of 2: elements of a column lie 34 words
//   apart, so that lanes 16 apart meet in a bank: 2-way conflicts.
// want: X is 40 x 70. How many rows has Y, and up to which row does your second guard let a thread store? Then: in which
//   banks are tile[0][0] and tile[16][0] with 34 words in a row?
#include "transpose_padded.h"

#define TILE 32
#define STEP 8  // rows of threads in a block; each thread does TILE / STEP elements
#define PAD 2

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE][TILE + PAD];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  int row = blockIdx.y * TILE + ty;
  int column = blockIdx.x * TILE + tx;
  for (int j = 0; j < TILE; j += STEP) {
    if (row + j < rows && column < columns) {
      tile[ty + j][tx] = X[(row + j) * columns + column];
    }
  }
  __syncthreads();

  row = blockIdx.x * TILE + ty;
  column = blockIdx.y * TILE + tx;
  for (int j = 0; j < TILE; j += STEP) {
    if (row + j < rows && column < columns) {
      Y[(row + j) * rows + column] = tile[tx][ty + j];
    }
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const dim3 block(TILE, STEP);
  const dim3 grid((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
