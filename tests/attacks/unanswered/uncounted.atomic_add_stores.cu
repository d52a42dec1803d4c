// SPDX-License-Identifier: Apache-2.0
// exercise: transpose_swizzled
// verdict: not passed
// must not: pass
// Y is cleared by a coalesced kernel; then red.add onto it, strided.

#include "transpose_swizzled.h"

__global__ void clear(float* Y, int n) { const int i = blockIdx.x * 256 + threadIdx.x; if (i < n) Y[i] = -0.0f; }
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  const int r = blockIdx.y * 32 + threadIdx.y, c = blockIdx.x * 32 + threadIdx.x;
  if (r < rows && c < columns) atomicAdd(&Y[c * rows + r], X[r * columns + c]);
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  clear<<<(rows * columns + 255) / 256, 256>>>(Y, rows * columns);
  transpose_kernel<<<dim3((columns + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(X, Y, rows, columns);
}
