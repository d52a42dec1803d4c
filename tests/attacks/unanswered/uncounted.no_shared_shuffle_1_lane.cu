// SPDX-License-Identifier: Apache-2.0
// exercise: fast_matmul
// verdict: not passed
// must not: pass
// Operands go from lane to lane by shuffles and not through shared memory: no shared loads, no barriers, one sum a thread.

#include "fast_matmul.h"

__global__ void fast_matmul_kernel(const float* M, const float* N, float* P, int width) {
  const int lane = threadIdx.x, row = blockIdx.y * 8 + threadIdx.y, col = blockIdx.x * 32 + lane;
  float s = 0;
  for (int k = 0; k < width; k += 32) {
    const float m = row < width && k + lane < width ? M[row * width + k + lane] : 0.0f;
    for (int i = 0; i < 32; ++i) {
      const float a = __shfl_sync(~0u, m, i);
      if (k + i < width && col < width) s += a * N[(k + i) * width + col];
    }
  }
  if (row < width && col < width) P[row * width + col] = s;
}

void fast_matmul(const float* M, const float* N, float* P, int width) {
  fast_matmul_kernel<<<dim3((width + 31) / 32, (width + 7) / 8), dim3(32, 8)>>>(M, N, P, width);
}
