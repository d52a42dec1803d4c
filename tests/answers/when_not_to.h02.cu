// SPDX-License-Identifier: Apache-2.0
// mistake: two: the blocks of factor 1, rounded up, are divided by coarse_factor rounding down, so that the end of C
//   is not computed (and for small lengths no block is launched); and idle_multiprocessors = 32 in the answers is the
//   number of those that do get a block, not of those that get none.
// want: Let length be 300 and coarse_factor 4: how many blocks does your second division leave? And in question 2, are
//   your 32 the multiprocessors that have work or those that have not?

#include "when_not_to.h"

constexpr int kBlock = 256;

__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int begin = blockIdx.x * kBlock * coarse_factor;
  const int end = min(length, begin + kBlock * coarse_factor);
  for (int i = begin + threadIdx.x; i < end; i += kBlock) {
    C[i] = A[i] + B[i];
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int chunks = (length + kBlock - 1) / kBlock;  // of 256 elements
  const int blocks = chunks / coarse_factor;
  when_not_to_kernel<<<blocks, kBlock>>>(A, B, C, length, coarse_factor);
}
