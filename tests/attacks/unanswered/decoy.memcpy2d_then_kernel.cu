// SPDX-License-Identifier: Apache-2.0
// exercise: transpose_swizzled
// verdict: not passed
// must not: pass
// cudaMemcpy2D transposes into scratch, a coalesced kernel moves it to Y.

#include "transpose_swizzled.h"

__global__ void transpose_kernel(const float* T, float* Y, int n) { const int i = blockIdx.x * 256 + threadIdx.x; if (i < n) Y[i] = T[i]; }

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  float* T;
  cudaMalloc(&T, sizeof(float) * rows * columns);
  for (int c = 0; c < columns; ++c) cudaMemcpy2D(T + (size_t)c * rows, 4, X + c, (size_t)columns * 4, 4, rows, cudaMemcpyDeviceToDevice);
  transpose_kernel<<<(rows * columns + 255) / 256, 256>>>(T, Y, rows * columns);
  cudaFree(T);
}
