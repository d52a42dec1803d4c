// SPDX-License-Identifier: Apache-2.0
// mistake: length / segment + 1 blocks: where the segment divides the length there is one block too many, which
//   has nothing to do (and in the answers 33 blocks are counted in place of 32).
// want: 65536 elements, 2048 for a block: how many blocks are needed, and how many do you launch? Test your
//   formula with a length that is a multiple of the segment.
#include "when_not_to.h"

#define BLOCK_SIZE 256

// FACTOR is known to the compiler, which unrolls the loop.
template <int FACTOR>
__global__ void when_not_to_kernel(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ C,
                                   int length) {
  const int first = blockIdx.x * (BLOCK_SIZE * FACTOR) + threadIdx.x;
#pragma unroll
  for (int c = 0; c < FACTOR; ++c) {
    const int i = first + c * BLOCK_SIZE;
    if (i < length) C[i] = A[i] + B[i];
  }
}

template <int FACTOR>
static void launch(const float* A, const float* B, float* C, int length) {
  const int blocks = length / (BLOCK_SIZE * FACTOR) + 1;
  when_not_to_kernel<FACTOR><<<blocks, BLOCK_SIZE>>>(A, B, C, length);
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  switch (coarse_factor) {
    case 1: launch<1>(A, B, C, length); break;
    case 2: launch<2>(A, B, C, length); break;
    case 4: launch<4>(A, B, C, length); break;
    case 8: launch<8>(A, B, C, length); break;
  }
}
