// SPDX-License-Identifier: Apache-2.0
// mistake: two. (1) rounds the number of blocks of 256 elements up, but divides it by coarse_factor rounding down: the
//   tail is not added, and small lengths launch no block at all. (2) answers question 2 with the 32 multiprocessors that
//   have a block instead of the 76 that have none.
// want: length 1, coarse_factor 2: how many blocks do you launch? In which of the two divisions is something lost? (Then:
//   question 2 asks for the multiprocessors without a block.)
#include "when_not_to.h"

#define BLOCK_SIZE 256

__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length, int coarse_factor) {
  int i = blockIdx.x * (blockDim.x * coarse_factor) + threadIdx.x;
  for (int n = 0; n < coarse_factor; n++, i += blockDim.x) {
    if (i >= length) return;
    C[i] = A[i] + B[i];
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  // one block for 256 elements...
  int blocks = (length + BLOCK_SIZE - 1) / BLOCK_SIZE;
  // ...and fewer when each does more
  blocks = blocks / coarse_factor;
  when_not_to_kernel<<<blocks, BLOCK_SIZE>>>(A, B, C, length, coarse_factor);
}
