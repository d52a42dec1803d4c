// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the blocks of 256 elements are rounded up, but then divided by coarse_factor rounding down: length 300 with
//   coarse_factor 8 is 2 / 8 = 0 blocks; 1500 with 4 is 6 / 4 = 1 block, and elements 1024 to 1499 are missing. And in the
//   answer's file idle_multiprocessors is 104, as if a multiprocessor had to be full (2048 threads) before the next gets
//   a block; 65536 / 2048 = 32 blocks go to 32 multiprocessors, 108 - 32 = 76 get none.
// want: Take length 1500 and coarse_factor 4: how many blocks do you launch, and which elements do they add?
#include "when_not_to.h"

#define BLOCK_SIZE 256

template <int kFactor>
__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length) {
  int i = blockIdx.x * (BLOCK_SIZE * kFactor) + threadIdx.x;
#pragma unroll
  for (int j = 0; j < kFactor; ++j, i += BLOCK_SIZE) {
    if (i < length) C[i] = A[i] + B[i];
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  // without coarsening ...
  const int fine_blocks = (length + BLOCK_SIZE - 1) / BLOCK_SIZE;
  // ... and with it
  const int blocks = fine_blocks / coarse_factor;

  switch (coarse_factor) {
    case 1: when_not_to_kernel<1><<<blocks, BLOCK_SIZE>>>(A, B, C, length); break;
    case 2: when_not_to_kernel<2><<<blocks, BLOCK_SIZE>>>(A, B, C, length); break;
    case 4: when_not_to_kernel<4><<<blocks, BLOCK_SIZE>>>(A, B, C, length); break;
    case 8: when_not_to_kernel<8><<<blocks, BLOCK_SIZE>>>(A, B, C, length); break;
  }
}
