// SPDX-License-Identifier: Apache-2.0
// mistake: rounds up to blocks of 256 first and then divides by coarse_factor, which rounds down: where the number of
//   256-element blocks is no multiple of coarse_factor, the last block is missing and up to 7 x 256 elements are never
//   written. 1280 elements with factor 4: 5 / 4 = 1 block for 1024 of them; 100 elements with factor 2: no block, and
//   the launch fails. coarse_factor 1 is always right. The answers are right.
// want: length 1280, coarse_factor 4: how many blocks do you launch, and how many elements do they serve together?
//   Which of your two divisions rounds up, and which should?
#include "when_not_to.h"

#define BLOCK_SIZE 256

__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int threads = gridDim.x * BLOCK_SIZE;
  int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;

  // grid stride, but each thread coarse_factor times at most
  for (int round = 0; round < coarse_factor && i < length; ++round) {
    C[i] = A[i] + B[i];
    i += threads;
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int fine_blocks = (length + BLOCK_SIZE - 1) / BLOCK_SIZE;
  const int blocks = fine_blocks / coarse_factor;
  when_not_to_kernel<<<blocks, BLOCK_SIZE>>>(A, B, C, length, coarse_factor);
}
