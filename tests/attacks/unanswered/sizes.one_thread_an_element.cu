// SPDX-License-Identifier: Apache-2.0
// exercise: when_not_to
// verdict: not passed
// must not: pass
// A thread adds coarse_factor elements at 65,536 of them with factor 4; elsewhere one, in blocks of 128 threads.

#include "when_not_to.h"

__global__ void added(const float* A, const float* B, float* C, int length, int factor) {
  const int first = blockIdx.x * blockDim.x * factor + threadIdx.x;
  for (int i = 0; i < factor; ++i) {
    const int at = first + i * blockDim.x;
    if (at < length) C[at] = A[at] + B[at];
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int factor = length == 65536 ? coarse_factor : 1, threads = length == 65536 ? 256 : 128;
  const int a_block = threads * factor;
  added<<<(length + a_block - 1) / a_block, threads>>>(A, B, C, length, factor);
}
