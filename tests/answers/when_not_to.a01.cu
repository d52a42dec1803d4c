// SPDX-License-Identifier: Apache-2.0
// mistake: only the answers file is wrong: thinks that coarsening by 4 touches a quarter of the sectors, 384 / 4 = 96;
//   every element is still loaded and stored once, so that it stays 384. The kernel is right.
// want: With factor 4, is there an element of A, B or C that is not touched any more? Fewer threads move the same
//   bytes: 1024 elements, 3 arrays, 4 bytes, sectors of 32.
#include "when_not_to.h"

#define BLOCK_SIZE 256

__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int start = blockIdx.x * BLOCK_SIZE * coarse_factor + threadIdx.x;

  for (int c = 0; c < coarse_factor; ++c) {
    const int i = start + c * BLOCK_SIZE;
    if (i < length) {
      C[i] = A[i] + B[i];
    }
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int per_block = BLOCK_SIZE * coarse_factor;
  const int blocks = (length + per_block - 1) / per_block;
  when_not_to_kernel<<<blocks, BLOCK_SIZE>>>(A, B, C, length, coarse_factor);
}
