// SPDX-License-Identifier: Apache-2.0
// differs: a thread's elements are neighbours (the header leaves open which elements a thread adds); loads of a step are
// coarse_factor apart, the sectors that are touched are the same.

#include "when_not_to.h"

__global__ void contiguous(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * coarse_factor;
  const int end = begin + coarse_factor < length ? begin + coarse_factor : length;
  for (int i = begin; i < end; ++i) C[i] = A[i] + B[i];
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const dim3 block(256, 1, 1), grid((length + 256 * coarse_factor - 1) / (256 * coarse_factor), 1, 1);
  void* arguments[] = {&A, &B, &C, &length, &coarse_factor};
  cudaLaunchKernel((const void*)contiguous, grid, block, arguments, 0, 0);
}
