// SPDX-License-Identifier: Apache-2.0
// mistake: stores element [r][c] at [r][(c + r) % 32], but looks for it at [r][(c - r) % 32], as if reading had to undo
//   the shift; both sides must go to the same place.
// want: Where did you put element [1][0] of the tile, and where do you look for it? One element has one place, whoever
//   asks; use one function for both sides.
#include "transpose_swizzled.h"

#define T 32

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  __shared__ float s[T][T];

  const int a = threadIdx.x;
  const int b = threadIdx.y;

  // each row is turned to the right by its number
  int r = blockIdx.y * T + b;
  int c = blockIdx.x * T + a;
  if (r < rows && c < columns) {
    s[b][(a + b) & (T - 1)] = X[r * columns + c];
  }
  __syncthreads();

  // turn it back again when reading
  r = blockIdx.x * T + b;
  c = blockIdx.y * T + a;
  if (r < columns && c < rows) {
    Y[r * rows + c] = s[a][(b - a) & (T - 1)];
  }
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  const dim3 grid((columns + T - 1) / T, (rows + T - 1) / T);
  const dim3 block(T, T);
  transpose_kernel<<<grid, block>>>(X, Y, rows, columns);
}
