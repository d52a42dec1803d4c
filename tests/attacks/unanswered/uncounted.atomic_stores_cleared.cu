// SPDX-License-Identifier: Apache-2.0
// exercise: transpose_padded
// verdict: not passed
// must not: pass
// As uncounted.atomic_stores, and Y is cleared before, so that no unset word is read.

#include "transpose_padded.h"

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  const int r = blockIdx.y * 32 + threadIdx.y, c = blockIdx.x * 32 + threadIdx.x;
  if (r < rows && c < columns) atomicExch(&Y[c * rows + r], X[r * columns + c]);
}

void transpose_padded(const float* X, float* Y, int rows, int columns) {
  cudaMemset(Y, 0, sizeof(float) * rows * columns);
  transpose_kernel<<<dim3((columns + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(X, Y, rows, columns);
}
