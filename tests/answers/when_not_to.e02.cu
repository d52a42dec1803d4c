// SPDX-License-Identifier: Apache-2.0
// mistake: the kernel is right, the answers are not: idle_multiprocessors = 104 fills one multiprocessor with 8
//   blocks (2048 / 256) before the next gets any; blocks are spread, so that 32 blocks keep 32 of them busy.
// want: Your launch has 32 blocks. If multiprocessors are free, would the second block go to where the first one is
//   already? How many multiprocessors get one, then?

#include "when_not_to.h"

#define BLOCK_SIZE 256

// Grid-stride: all threads side by side, then all of them one grid further.
__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length) {
  const int stride = gridDim.x * BLOCK_SIZE;
  for (int i = blockIdx.x * BLOCK_SIZE + threadIdx.x; i < length; i += stride) {
    C[i] = A[i] + B[i];
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int segment = BLOCK_SIZE * coarse_factor;
  const int blocks = (length + segment - 1) / segment;
  when_not_to_kernel<<<blocks, BLOCK_SIZE>>>(A, B, C, length);
}
