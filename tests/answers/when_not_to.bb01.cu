// SPDX-License-Identifier: Apache-2.0
// mistake: the number of blocks is rounded up for 256 elements and then divided by coarse_factor, which rounds down:
//   length 65792 with coarse_factor 4 gives 257 / 4 = 64 blocks, which serve 65536 elements, and the last 256 are not
//   stored; length 300 with coarse_factor 4 gives 0 blocks, an error of the launch. A thread's steps of a whole grid
//   are right, and so are the three answers.
// want: length is 300 and coarse_factor is 4: how many blocks do you launch, and which elements do they serve?
#include "when_not_to.h"

#define BLOCK_SIZE 256

// In each step the whole grid goes on to the elements behind those of the step before.
__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int all = gridDim.x * BLOCK_SIZE;
  int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
  while (coarse_factor-- > 0 && i < length) {
    C[i] = A[i] + B[i];
    i += all;
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int blocks = (length + BLOCK_SIZE - 1) / BLOCK_SIZE / coarse_factor;
  when_not_to_kernel<<<blocks, BLOCK_SIZE>>>(A, B, C, length, coarse_factor);
}
