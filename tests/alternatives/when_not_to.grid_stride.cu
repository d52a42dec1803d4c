// SPDX-License-Identifier: Apache-2.0
// differs: a thread's elements are as far apart as the grid is wide (grid-stride loop), so that coarse_factor is not
// handed to the kernel at all.

#include "when_not_to.h"

__global__ void __launch_bounds__(256) strided_addition(const float* __restrict__ A, const float* __restrict__ B,
                                                        float* __restrict__ C, const int length) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += gridDim.x * blockDim.x) {
    C[i] = __fadd_rn(__ldg(A + i), __ldg(B + i));
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int threads = 1 + (length - 1) / coarse_factor;
  strided_addition<<<1 + (threads - 1) / 256, 256>>>(A, B, C, length);
}
