// SPDX-License-Identifier: Apache-2.0
// mistake: the kernel is right (a thread's elements lie a whole grid apart, and a warp's are neighbours). In the
//   .toml idle_multiprocessors is 44: that is coarse_factor 4, with 64 blocks. With 8 there are 65536 / 2048 = 32
//   blocks, and 108 - 32 = 76 multiprocessors get none.
// want: The second question is about another coarse_factor than the first. How many blocks are there with it?
#include "when_not_to.h"

#define BLOCK_SIZE 256

__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int threads = gridDim.x * BLOCK_SIZE;
  int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
  // the whole grid moves on together
  for (int step = 0; step < coarse_factor && i < length; ++step, i += threads) {
    C[i] = A[i] + B[i];
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int per_block = BLOCK_SIZE * coarse_factor;
  const int blocks = length / per_block + (length % per_block != 0);
  when_not_to_kernel<<<blocks, BLOCK_SIZE>>>(A, B, C, length, coarse_factor);
}
