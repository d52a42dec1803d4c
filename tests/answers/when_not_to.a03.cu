// SPDX-License-Identifier: Apache-2.0
// mistake: 1. stops only at i > length, so that C[length] is written (A and B read there, too). 2. answers file: packs
//   8 blocks of 256 threads onto each multiprocessor, 32 blocks fill 4, so 104 idle instead of 76.
// want: What is the index of the last element of an array of `length`? Your thread with i == length adds, too. (Then:
//   are blocks put onto one multiprocessor until it is full, while others have none?)
#include "when_not_to.h"

#define BLOCK_SIZE 256

__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int first = blockIdx.x * BLOCK_SIZE * coarse_factor;

  for (int c = 0; c < coarse_factor; ++c) {
    const int i = first + c * BLOCK_SIZE + threadIdx.x;
    if (i > length) break;  // nothing left
    C[i] = A[i] + B[i];
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int elements = BLOCK_SIZE * coarse_factor;
  const int blocks = (length - 1) / elements + 1;
  when_not_to_kernel<<<blocks, BLOCK_SIZE>>>(A, B, C, length, coarse_factor);
}
