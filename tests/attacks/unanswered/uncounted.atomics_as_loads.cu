// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_matmul
// verdict: not passed
// must not: pass
// Not coarsened; what it reads too often it reads by atomicOr(p, 0), which is no load.

#include "coarsened_matmul.h"

#define T 32
__device__ float get(const float* p) { return __int_as_float(atomicOr((int*)p, 0)); }
__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float a[T][T], b[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty;
  for (int c = 0; c < 4; ++c) {
    const int col = (blockIdx.x * 4 + c) * T + tx;
    float s = 0;
    for (int p = 0; p < width; p += T) {
      a[ty][tx] = row < width && p + tx < width ? (c ? get(M + row * width + p + tx) : M[row * width + p + tx]) : 0.0f;
      b[ty][tx] = p + ty < width && col < width ? N[(p + ty) * width + col] : 0.0f;
      __syncthreads();
      for (int k = 0; k < T; ++k) s += a[ty][k] * b[k][tx];
      __syncthreads();
    }
    if (row < width && col < width) P[row * width + col] = s;
  }
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  coarsened_matmul_kernel<<<dim3((width + 127) / 128, (width + 31) / 32), dim3(T, T)>>>(M, N, P, width);
}
