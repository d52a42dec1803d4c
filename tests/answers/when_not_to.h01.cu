// SPDX-License-Identifier: Apache-2.0
// mistake: a thread that has some of its elements but not all (the last block, where length is no multiple of 256 times
//   coarse_factor) adds the first of them only; the others of C are never stored. The answers are right.
// want: Let length be 600 and coarse_factor 4. Which elements belong to thread 0, which of them exist, and which of
//   your two branches does it take?

#include "when_not_to.h"

#define BLOCK_SIZE 256

template <int Coarse>
__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length) {
  const int first = blockIdx.x * BLOCK_SIZE * Coarse + threadIdx.x;
  const int last = first + (Coarse - 1) * BLOCK_SIZE;

  if (last < length) {
    // all elements of this thread exist: no tests in the loop
#pragma unroll
    for (int c = 0; c < Coarse; ++c) {
      const int i = first + c * BLOCK_SIZE;
      C[i] = A[i] + B[i];
    }
  } else if (first < length) {
    C[first] = A[first] + B[first];
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int segment = BLOCK_SIZE * coarse_factor;
  const int blocks = (length + segment - 1) / segment;
  switch (coarse_factor) {
    case 1:
      when_not_to_kernel<1><<<blocks, BLOCK_SIZE>>>(A, B, C, length);
      break;
    case 2:
      when_not_to_kernel<2><<<blocks, BLOCK_SIZE>>>(A, B, C, length);
      break;
    case 4:
      when_not_to_kernel<4><<<blocks, BLOCK_SIZE>>>(A, B, C, length);
      break;
    case 8:
      when_not_to_kernel<8><<<blocks, BLOCK_SIZE>>>(A, B, C, length);
      break;
  }
}
