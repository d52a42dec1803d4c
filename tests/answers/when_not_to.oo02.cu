// SPDX-License-Identifier: Apache-2.0
// mistake: the loop runs to c <= coarse_factor, once too often, and no question has an answer yet.
// want: The loop runs once too often.
#include "when_not_to.h"

#define BLOCK_SIZE 256

__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length, int coarse_factor) {
  // TODO 1: at which element does this block begin if each of its threads computes coarse_factor
  // elements of C?
  const int start = blockIdx.x * BLOCK_SIZE * coarse_factor + threadIdx.x;

  // TODO 2: compute this thread's other elements. In each step, a warp should load neighbouring elements.
  for (int c = 0; c <= coarse_factor; ++c) {
    int i = start + c * BLOCK_SIZE;
    if (i < length) C[i] = A[i] + B[i];
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  // TODO 3: how many blocks are needed if each computes BLOCK_SIZE * coarse_factor elements of C?
  const int per = BLOCK_SIZE * coarse_factor;
  const int blocks = (length + per - 1) / per;
  when_not_to_kernel<<<blocks, BLOCK_SIZE>>>(A, B, C, length, coarse_factor);
}
