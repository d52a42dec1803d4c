// SPDX-License-Identifier: Apache-2.0
// mistake: two. The slow path at the end of the arrays stops before the thread's last element, also where that
//   exists, so that it stays unwritten (the last block, and part of the one before). And in the answers 256 sectors
//   count the loads of A and B only, without the stores of C.
// want: coarse_factor 1, length 300: which path does element 299 take, and how often does its loop run? In the
//   answers: how many arrays does the kernel touch, and how many are in your 256?

#include "when_not_to.h"

#define BLOCK_SIZE 256

__device__ void add(const float* A, const float* B, float* C, int i) {
  C[i] = A[i] + B[i];
}

__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length, int coarse_factor) {
  int i = blockIdx.x * BLOCK_SIZE * coarse_factor + threadIdx.x;

  if (i + coarse_factor * BLOCK_SIZE <= length) {
    // all of them exist, no test in the loop
    for (int c = 0; c < coarse_factor; ++c) {
      add(A, B, C, i + c * BLOCK_SIZE);
    }
  } else {
    const int last = i + (coarse_factor - 1) * BLOCK_SIZE;
    for (; i < last; i += BLOCK_SIZE) {
      if (i < length) add(A, B, C, i);
    }
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int per_block = BLOCK_SIZE * coarse_factor;
  const int blocks = (length - 1) / per_block + 1;
  when_not_to_kernel<<<blocks, BLOCK_SIZE>>>(A, B, C, length, coarse_factor);
}
