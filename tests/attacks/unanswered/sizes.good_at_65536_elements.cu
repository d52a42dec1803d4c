// SPDX-License-Identifier: Apache-2.0
// exercise: when_not_to
// verdict: not passed
// must not: pass
// Coarsened with neighbours at 65,536 elements and factor 4; elsewhere a thread has elements that lie side by side.

#include "when_not_to.h"

__global__ void added(const float* A, const float* B, float* C, int length, int factor, bool together) {
  const int first = (together ? blockIdx.x * blockDim.x * factor + threadIdx.x
                              : (blockIdx.x * blockDim.x + threadIdx.x) * factor);
  for (int i = 0; i < factor; ++i) {
    const int at = first + i * (together ? blockDim.x : 1);
    if (at < length) C[at] = A[at] + B[at];
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int a_block = 256 * coarse_factor;
  added<<<(length + a_block - 1) / a_block, 256>>>(A, B, C, length, coarse_factor,
                                                   length == 65536 && coarse_factor == 4);
}
