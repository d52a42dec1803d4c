// SPDX-License-Identifier: Apache-2.0
// Right; the wrong idea is in the answers: blocks are counted as length / segment + 1.
#include "when_not_to.h"

#define BLOCK_SIZE 256

__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int first = blockIdx.x * BLOCK_SIZE * coarse_factor + threadIdx.x;
  for (int c = 0; c < coarse_factor; ++c) {
    const int i = first + c * BLOCK_SIZE;
    if (i < length) {
      C[i] = A[i] + B[i];
    }
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int segment = BLOCK_SIZE * coarse_factor;
  const int blocks = (length + segment - 1) / segment;
  when_not_to_kernel<<<blocks, BLOCK_SIZE>>>(A, B, C, length, coarse_factor);
}
