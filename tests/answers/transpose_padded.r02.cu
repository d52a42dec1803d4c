// SPDX-License-Identifier: Apache-2.0
// mistake: threads whose column of X does not exist leave before the second half, where they would have had an element of
//   Y to store. rows = 32, columns = 1: only lane 0 stays, so only Y[0] is written and Y[1] to Y[31] are not. Right where
//   columns is a multiple of 32; rows may be anything. (Also, they leave before a barrier that the others reach.)
// want: A thread has two tasks in this kernel: an element of X to load, and one of Y to store. If the first does not exist,
//   what of the second?
#include "transpose_padded.h"

template <int Side, int Step>
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float tile[Side][Side + 1];

  const int lane = threadIdx.x % Side;
  const int warp = threadIdx.x / Side;

  const int x_column = blockIdx.x * Side + lane;
  if (x_column >= columns) return;  // nothing there

  const int x_row = blockIdx.y * Side + warp;
#pragma unroll
  for (int step = 0; step < Side; step += Step) {
    if (x_row + step < rows) {
      tile[warp + step][lane] = X[(x_row + step) * columns + x_column];
    }
  }
  __syncthreads();

  const int y_column = blockIdx.y * Side + lane;
  const int y_row = blockIdx.x * Side + warp;
#pragma unroll
  for (int step = 0; step < Side; step += Step) {
    if (y_row + step < columns && y_column < rows) {
      Y[(y_row + step) * rows + y_column] = tile[lane][warp + step];
    }
  }
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  constexpr int side = 32;
  constexpr int step = 4;
  const dim3 grid((columns + side - 1) / side, (rows + side - 1) / side);
  transpose_kernel<side, step><<<grid, side * step>>>(X, Y, rows, columns);
}
