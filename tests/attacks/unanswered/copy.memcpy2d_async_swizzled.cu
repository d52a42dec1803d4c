// SPDX-License-Identifier: Apache-2.0
// exercise: transpose_swizzled
// verdict: not passed
// must not: pass
// The same with cudaMemcpy2DAsync, and an empty kernel beside it.

#include "transpose_swizzled.h"
__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) { __shared__ float tile[32]; tile[threadIdx.x] = X[0]; }

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  transpose_kernel<<<1, 32>>>(X, Y, rows, columns);
  for (int c = 0; c < columns; ++c)
    cudaMemcpy2DAsync(Y + (size_t)c * rows, 4, X + c, (size_t)columns * 4, 4, rows, cudaMemcpyDefault, 0);
}
