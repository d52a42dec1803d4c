// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_matmul
// verdict: not passed
// must not: pass
// Not coarsened: M is loaded anew for each of the four tiles, by cp.async, which may not count as a load.

#include "coarsened_matmul.h"
#include <cuda_pipeline.h>
#define T 32
__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float a[T][T], b[T][T];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty;
  for (int c = 0; c < 4; ++c) {
    const int col = (blockIdx.x * 4 + c) * T + tx;
    float s = 0;
    for (int p = 0; p < width; p += T) {
      if (row < width && p + tx < width) __pipeline_memcpy_async(&a[ty][tx], M + row * width + p + tx, 4);
      else a[ty][tx] = 0;
      if (p + ty < width && col < width) __pipeline_memcpy_async(&b[ty][tx], N + (p + ty) * width + col, 4);
      else b[ty][tx] = 0;
      __pipeline_commit();
      __pipeline_wait_prior(0);
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
