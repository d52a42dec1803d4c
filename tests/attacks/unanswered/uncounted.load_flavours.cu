// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_matmul
// verdict: not passed
// must not: pass
// Not coarsened: M is loaded four times, by ld.volatile, ld.relaxed.gpu, ld.acquire.sys and ld.global.nc.

#include "coarsened_matmul.h"

#define T 32
template <int C> __device__ float get(const float* p) {
  float v;
  if (C == 0) asm volatile("ld.volatile.global.f32 %0, [%1];" : "=f"(v) : "l"(p));
  if (C == 1) asm volatile("ld.relaxed.gpu.global.f32 %0, [%1];" : "=f"(v) : "l"(p));
  if (C == 2) asm volatile("ld.acquire.sys.global.f32 %0, [%1];" : "=f"(v) : "l"(p));
  if (C == 3) asm volatile("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(v) : "l"(p));
  return v;
}
template <int C> __device__ void one(const float* M, const float* N, float* P, int width, float (*a)[T], float (*b)[T]) {
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * T + ty, col = (blockIdx.x * 4 + C) * T + tx;
  float s = 0;
  for (int p = 0; p < width; p += T) {
    a[ty][tx] = row < width && p + tx < width ? get<C>(M + row * width + p + tx) : 0.0f;
    b[ty][tx] = p + ty < width && col < width ? get<C>(N + (p + ty) * width + col) : 0.0f;
    __syncthreads();
    for (int k = 0; k < T; ++k) s += a[ty][k] * b[k][tx];
    __syncthreads();
  }
  if (row < width && col < width) P[row * width + col] = s;
}
__global__ void coarsened_matmul_kernel(const float* M, const float* N, float* P, int width) {
  __shared__ float a[T][T], b[T][T];
  one<0>(M, N, P, width, a, b);
  one<1>(M, N, P, width, a, b);
  one<2>(M, N, P, width, a, b);
  one<3>(M, N, P, width, a, b);
}

void coarsened_matmul(const float* M, const float* N, float* P, int width) {
  coarsened_matmul_kernel<<<dim3((width + 127) / 128, (width + 31) / 32), dim3(T, T)>>>(M, N, P, width);
}
