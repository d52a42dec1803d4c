// SPDX-License-Identifier: Apache-2.0
// mistake: only the answers file is wrong: 104 idle multiprocessors. Thinks that blocks are packed, eight of 256 threads
//   onto each multiprocessor (2048 places), so that 32 blocks fill 4 of them. Blocks are spread: 32 blocks go to 32
//   multiprocessors, and 108 - 32 = 76 get none. The kernel is right.
// want: 32 blocks and 108 multiprocessors with nothing to do: does the second block go to the first multiprocessor, or to
//   another one? That eight would fit is occupancy; here there are not enough.
#include "when_not_to.h"

#define BLOCK_SIZE 256

__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int first = blockIdx.x * (BLOCK_SIZE * coarse_factor);
  int last = first + BLOCK_SIZE * coarse_factor;
  if (last > length) last = length;

  for (int i = first + threadIdx.x; i < last; i += BLOCK_SIZE) {
    C[i] = A[i] + B[i];
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int per_block = BLOCK_SIZE * coarse_factor;
  const int blocks = (length + per_block - 1) / per_block;
  when_not_to_kernel<<<blocks, BLOCK_SIZE>>>(A, B, C, length, coarse_factor);
}
