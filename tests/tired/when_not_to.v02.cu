// SPDX-License-Identifier: Apache-2.0
// mistake: the kernel is right (its steps go over the whole grid, not over one block's segment; neighbours stay neighbours).
//   The .toml's first answer is wrong: 256 sectors are those loaded, 128 each for A and B; the 128 that are stored in C
//   are missing: 384. The other two answers (76 of 108, "none") are right.
// want: Question 1 asks for the sectors of all three arrays. Which instructions of a thread touch global memory?
#include "when_not_to.h"

#define BLOCK_SIZE 256

template <int COARSE>
__global__ void add(const float* A, const float* B, float* C, int length) {
  const int step = gridDim.x * BLOCK_SIZE;
  int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
#pragma unroll
  for (int c = 0; c < COARSE; ++c, i += step) {
    if (i < length) C[i] = A[i] + B[i];
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int segment = BLOCK_SIZE * coarse_factor;
  const int blocks = (length + segment - 1) / segment;
  switch (coarse_factor) {
    case 1: add<1><<<blocks, BLOCK_SIZE>>>(A, B, C, length); break;
    case 2: add<2><<<blocks, BLOCK_SIZE>>>(A, B, C, length); break;
    case 4: add<4><<<blocks, BLOCK_SIZE>>>(A, B, C, length); break;
    case 8: add<8><<<blocks, BLOCK_SIZE>>>(A, B, C, length); break;
  }
}
