// SPDX-License-Identifier: Apache-2.0
// mistake: an element is written at column + row and looked for at column - row. Element [1][0] of X is stored at place
//   1 * 32 + 1; the thread that stores Y[0][1] (tx 1, ty 0) reads 1 * 32 + ((0 - 1) & 31) = 1 * 32 + 31, which holds
//   X[1][30]. Right are only rows 0 and 16 of a tile. Neither access has a conflict.
// want: Follow X[1][0]: at which place does the first half store it, and from which place does the thread of Y[0][1] fetch
//   it?
#include "transpose_swizzled.h"

#define N 32
#define H 4

__global__ void transpose_kernel(const float* in, float* out, int rows, int cols) {
  __shared__ float buf[N][N];

  const int tx = threadIdx.x;
  int gx = blockIdx.x * N + tx;
  int gy = blockIdx.y * N;

  // rotate each row to the right by its number
  for (int y = threadIdx.y; y < N; y += H) {
    if (gx < cols && gy + y < rows) {
      buf[y][(tx + y) & (N - 1)] = in[(gy + y) * cols + gx];
    }
  }
  __syncthreads();

  gx = blockIdx.y * N + tx;
  gy = blockIdx.x * N;

  // and rotate it back
  for (int y = threadIdx.y; y < N; y += H) {
    if (gx < rows && gy + y < cols) {
      out[(gy + y) * rows + gx] = buf[tx][(y - tx) & (N - 1)];
    }
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  transpose_kernel<<<dim3((columns + N - 1) / N, (rows + N - 1) / N), dim3(N, H)>>>(X, Y, rows, columns);
}
