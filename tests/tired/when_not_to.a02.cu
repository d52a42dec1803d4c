// SPDX-License-Identifier: Apache-2.0
// mistake: rounds up to blocks of 256 and then divides by coarse_factor, rounding down: where that does not go evenly,
//   the last elements get no block (or there is no block at all). The answers are right.
// want: length = 1000, coarse_factor = 8: how many blocks come out of your two divisions? Round up once, by the
//   elements that one block serves.
#include "when_not_to.h"

#define BLOCK_SIZE 256

__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length, int coarse_factor) {
  int i = blockIdx.x * (BLOCK_SIZE * coarse_factor) + threadIdx.x;

  for (int step = 0; step < coarse_factor; step++) {
    if (i < length) C[i] = A[i] + B[i];
    i += BLOCK_SIZE;
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  // blocks without coarsening, then fewer by the factor
  const int blocks = (length + BLOCK_SIZE - 1) / BLOCK_SIZE / coarse_factor;
  when_not_to_kernel<<<blocks, BLOCK_SIZE>>>(A, B, C, length, coarse_factor);
}
