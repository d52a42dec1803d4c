// SPDX-License-Identifier: Apache-2.0
// mistake: 1. the kernel has a quick path for threads whose elements all exist, and a slow one that adds only a
//   thread's first element: with coarse_factor 4 and 8, where a thread of the last block has more than one element but
//   not all, the others are never stored. 2. the first answer counts the loads of A and B and forgets the stores of C,
//   256 instead of 384.
// want: length = 300, coarse_factor 4: which elements belong to thread 0, which way does it go, and which of them does
//   it store? (Then: which of the three arrays are in your 256 sectors, and which one does the question want besides?)
#include "when_not_to.h"

#define BLOCK_SIZE 256

template <int kFactor>
__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length) {
  const int first = blockIdx.x * BLOCK_SIZE * kFactor + threadIdx.x;
  const int last = first + (kFactor - 1) * BLOCK_SIZE;

  if (last < length) {
    // no checks in here
#pragma unroll
    for (int c = 0; c < kFactor; ++c) {
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
    case 1: when_not_to_kernel<1><<<blocks, BLOCK_SIZE>>>(A, B, C, length); break;
    case 2: when_not_to_kernel<2><<<blocks, BLOCK_SIZE>>>(A, B, C, length); break;
    case 4: when_not_to_kernel<4><<<blocks, BLOCK_SIZE>>>(A, B, C, length); break;
    case 8: when_not_to_kernel<8><<<blocks, BLOCK_SIZE>>>(A, B, C, length); break;
  }
}
