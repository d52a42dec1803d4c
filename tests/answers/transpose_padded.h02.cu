// SPDX-License-Identifier: Apache-2.0
// mistake: the rows are padded by two floats; 34 and 32 banks still have the divisor 2 in common, so that the rows r
//   and r + 16 of a column lie in the same bank and every column read is a 2-way conflict.
// want: Element [r][c] of your tile lies in which bank, as a formula? With c fixed, which rows fall into the bank of
//   row 0?

#include "transpose_padded.h"

constexpr int kTile = 32;
constexpr int kStep = 16;
constexpr int kPad = 2;  // keeps the rows at multiples of 8 bytes

template <int Pitch>
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[kTile * Pitch];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int top = blockIdx.y * kTile;
  const int left = blockIdx.x * kTile;

#pragma unroll
  for (int j = 0; j < kTile; j += kStep) {
    const int r = top + ty + j;
    const int c = left + tx;
    if (r < rows && c < columns) tile[(ty + j) * Pitch + tx] = X[r * columns + c];
  }

  __syncthreads();

#pragma unroll
  for (int j = 0; j < kTile; j += kStep) {
    const int r = left + ty + j;  // of Y
    const int c = top + tx;
    if (r < columns && c < rows) Y[r * rows + c] = tile[tx * Pitch + ty + j];
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  const dim3 block(kTile, kStep);
  const dim3 grid((columns + kTile - 1) / kTile, (rows + kTile - 1) / kTile);
  transpose_kernel<kTile + kPad><<<grid, block>>>(X, Y, rows, columns);
}
