// SPDX-License-Identifier: Apache-2.0
// mistake: the code is right; in the .toml idle_multiprocessors is 32, which is how many get a block (65536 / 2048 = 32
//   blocks): 108 - 32 = 76 get none. The other two answers are right.
// want: 32 is a number that belongs to this question. Is it that of the multiprocessors with a block or without one?
#include "when_not_to.h"

#define BLOCK_SIZE 256

__global__ void add(const float* A, const float* B, float* C, int length) {
  // whole grid side by side, then the next stretch
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < length; i += step) {
    C[i] = A[i] + B[i];
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int per_block = BLOCK_SIZE * coarse_factor;
  add<<<(length + per_block - 1) / per_block, BLOCK_SIZE>>>(A, B, C, length);
}
