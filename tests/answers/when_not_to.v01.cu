// SPDX-License-Identifier: Apache-2.0
// mistake: the number of blocks comes from length / coarse_factor, which is rounded down before it is rounded up: where a
//   few elements go beyond whole blocks, nobody adds them. Length 1025, factor 4: 1025 / 4 = 256, one block, which
//   serves 1024; C[1024] is never stored. The kernel, and all answers in the .toml, are right.
// want: Length is 1025 and the factor 4. How many blocks do you launch, and how many elements do these serve?
#include "when_not_to.h"

#define BLOCK_SIZE 256

__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length, int coarse_factor) {
  // a block's part of the arrays
  const int begin = blockIdx.x * BLOCK_SIZE * coarse_factor;
  const int end = min(begin + BLOCK_SIZE * coarse_factor, length);

  for (int i = begin + threadIdx.x; i < end; i += BLOCK_SIZE) {
    C[i] = A[i] + B[i];
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int threads = max(1, length / coarse_factor);
  const int blocks = (threads + BLOCK_SIZE - 1) / BLOCK_SIZE;
  when_not_to_kernel<<<blocks, BLOCK_SIZE>>>(A, B, C, length, coarse_factor);
}
