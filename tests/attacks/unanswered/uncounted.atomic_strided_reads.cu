// SPDX-License-Identifier: Apache-2.0
// exercise: transpose_swizzled
// verdict: not passed
// must not: pass
// Reads columns of X by atomicOr(p, 0) and stores rows of Y; no shared memory.

#include "transpose_swizzled.h"

__global__ void transpose_kernel(const float* X, float* Y, int rows, int columns) {
  const int c = blockIdx.y * 32 + threadIdx.y, r = blockIdx.x * 32 + threadIdx.x;
  if (r < rows && c < columns) Y[c * rows + r] = __int_as_float(atomicOr((int*)&X[r * columns + c], 0));
}

void transpose_swizzled(const float* X, float* Y, int rows, int columns) {
  transpose_kernel<<<dim3((rows + 31) / 32, (columns + 31) / 32), dim3(32, 32)>>>(X, Y, rows, columns);
}
