// SPDX-License-Identifier: Apache-2.0
// exercise: tiled_matmul
// verdict: not passed
// must not: grader_fault; hang
// Launches with zero, negative and too large sizes, 2^32 bytes of shared memory, streams that do not exist.

#include "tiled_matmul.h"
__global__ void k(float* p) { extern __shared__ float s[]; s[threadIdx.x] = 1; }

void tiled_matmul(const float* M, const float* N, float* P, int width) {
  k<<<0, 0>>>(P); k<<<1, 0>>>(P); k<<<dim3(1, 0, 1), 1>>>(P); k<<<1, 1025>>>(P); k<<<dim3(1, 70000), 1>>>(P); k<<<dim3(-1, -1, -1), dim3(-1, -1, -1)>>>(P);
  k<<<1, 1, ~0ull>>>(P); k<<<1, 1, 1 << 30>>>(P); k<<<1, 1, 200000>>>(P); k<<<1, 1, 0, (cudaStream_t)0x1234567>>>(P);
  void* a[1] = {nullptr};
  cudaLaunchKernel((void*)k, dim3(1), dim3(1), a, 0, 0);
  cudaLaunchKernel((void*)0x1234, dim3(1), dim3(1), a, 0, 0);
  cudaLaunchKernel(nullptr, dim3(1), dim3(1), nullptr, 0, 0);
}
