// SPDX-License-Identifier: Apache-2.0
// mistake: the number of blocks is rounded up to pieces of 256 and then divided by coarse_factor rounding down; the
//   last pieces get no block (length 1280 with factor 4: one block for 1024), and short arrays none at all.
// want: length 1280, coarse_factor 4: how many elements does one block serve, and how many blocks do you launch? In
//   which of your two divisions is something lost?

#include "when_not_to.h"

#define BLOCK_SIZE 256

template <int FACTOR>
__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length) {
  const int first = blockIdx.x * BLOCK_SIZE * FACTOR + threadIdx.x;
#pragma unroll
  for (int c = 0; c < FACTOR; ++c) {
    const int i = first + c * BLOCK_SIZE;
    if (i < length) {
      C[i] = A[i] + B[i];
    }
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int pieces = (length + BLOCK_SIZE - 1) / BLOCK_SIZE;
  const int blocks = pieces / coarse_factor;
  switch (coarse_factor) {
    case 1: when_not_to_kernel<1><<<blocks, BLOCK_SIZE>>>(A, B, C, length); break;
    case 2: when_not_to_kernel<2><<<blocks, BLOCK_SIZE>>>(A, B, C, length); break;
    case 4: when_not_to_kernel<4><<<blocks, BLOCK_SIZE>>>(A, B, C, length); break;
    case 8: when_not_to_kernel<8><<<blocks, BLOCK_SIZE>>>(A, B, C, length); break;
  }
}
