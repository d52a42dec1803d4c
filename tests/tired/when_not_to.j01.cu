// SPDX-License-Identifier: Apache-2.0
// mistake: only the answers file is wrong: thinks that a multiprocessor is filled with 8 blocks of 256 threads before
//   the next one gets any, so that 32 blocks take 4 multiprocessors and 104 stay idle; blocks are spread, one for each
//   multiprocessor first, so that 76 stay idle. The kernel is right.
// want: How many blocks are there, and how many multiprocessors are free when the second block is given out? Why should
//   it share one with the first? What does 104 assume about the order in which they are filled?
#include "when_not_to.h"

#define BLOCK_SIZE 256

// FACTOR elements a thread, known to the compiler.
template <int FACTOR>
__global__ void add_kernel(const float* A, const float* B, float* C, int length) {
  int i = blockIdx.x * (BLOCK_SIZE * FACTOR) + threadIdx.x;
#pragma unroll
  for (int k = 0; k < FACTOR; ++k, i += BLOCK_SIZE) {
    if (i < length) C[i] = A[i] + B[i];
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int blocks = (length + BLOCK_SIZE * coarse_factor - 1) / (BLOCK_SIZE * coarse_factor);
  switch (coarse_factor) {
    case 1: add_kernel<1><<<blocks, BLOCK_SIZE>>>(A, B, C, length); break;
    case 2: add_kernel<2><<<blocks, BLOCK_SIZE>>>(A, B, C, length); break;
    case 4: add_kernel<4><<<blocks, BLOCK_SIZE>>>(A, B, C, length); break;
    case 8: add_kernel<8><<<blocks, BLOCK_SIZE>>>(A, B, C, length); break;
  }
}
