// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the tile has one row more and no column more ([33][32]), so that a column still lies in one bank
//   and its reads conflict 32 ways. And threads without an element of X return before the barrier, though they have
//   one of Y to store: rows 32, columns 1, only tx 0 stays, and of Y's 32 elements only Y[0] is stored.
// want: Take rows = 32 and columns = 1: which threads should store, and which of them are still there? (Then look at your
//   tile: how many floats are there from [0][0] to [1][0]?)
#include "transpose_padded.h"

#define T 32

__global__ void tr(const float* X, float* Y, int rows, int columns) {
  __shared__ float s[T + 1][T];  // +1 against conflicts

  int x = threadIdx.x % T;
  int y = threadIdx.x / T;

  int r = blockIdx.y * T + y;
  int c = blockIdx.x * T + x;
  if (r >= rows || c >= columns) return;  // outside of the matrix

  s[y][x] = X[r * columns + c];
  __syncthreads();

  // same tile, turned
  r = blockIdx.x * T + y;
  c = blockIdx.y * T + x;
  if (r < columns && c < rows) Y[r * rows + c] = s[x][y];
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  dim3 grid((columns - 1) / T + 1, (rows - 1) / T + 1);
  tr<<<grid, T * T>>>(X, Y, rows, columns);
}
