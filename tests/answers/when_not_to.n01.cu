// SPDX-License-Identifier: Apache-2.0
// mistake: a thread works only where all of its coarse_factor elements exist; in the last block threads with some, but not
//   all of their elements add none. The answers file is right.
// want: length 300, coarse_factor 2: which elements are thread 0's, which of them exist, and which does it add? Ask for
//   each element by itself.
#include "when_not_to.h"

#define BLOCK_SIZE 256

__global__ void add_coarse(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int first = blockIdx.x * BLOCK_SIZE * coarse_factor + threadIdx.x;
  const int last = first + (coarse_factor - 1) * BLOCK_SIZE;

  // stay inside the arrays
  if (last < length) {
    for (int i = first; i <= last; i += BLOCK_SIZE) {
      C[i] = A[i] + B[i];
    }
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int per_block = BLOCK_SIZE * coarse_factor;
  const int blocks = (length + per_block - 1) / per_block;
  add_coarse<<<blocks, BLOCK_SIZE>>>(A, B, C, length, coarse_factor);
}
