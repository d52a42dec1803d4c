// SPDX-License-Identifier: Apache-2.0
// mistake: blocks of 32 x 8 threads, each thread four rows; when writing only the first of the four rows of Y is tested
//   against `columns`, so that the others write past the end of Y where columns is no multiple of 32.
// want: With columns 40, which rows of Y does a thread with ty 0 of the last block write, and which of them exist? For
//   which of the four did you ask?
#include "transpose_padded.h"

#define TILE 32
#define STEP 8

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[TILE][TILE + 1];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;

  // in: four rows, 8 apart
  const int in_col = blockIdx.x * TILE + tx;
  const int in_row = blockIdx.y * TILE + ty;
  for (int j = 0; j < TILE; j += STEP) {
    if (in_row + j < rows && in_col < columns) {
      tile[ty + j][tx] = X[(in_row + j) * columns + in_col];
    }
  }

  __syncthreads();

  // out: the tile on the other side of the diagonal
  const int out_col = blockIdx.y * TILE + tx;
  const int out_row = blockIdx.x * TILE + ty;
  if (out_row < columns && out_col < rows) {
    for (int j = 0; j < TILE; j += STEP) {
      Y[(out_row + j) * rows + out_col] = tile[tx][ty + j];
    }
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  dim3 threads(TILE, STEP);
  dim3 blocks((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose_kernel<<<blocks, threads>>>(X, Y, rows, columns);
}
