// SPDX-License-Identifier: Apache-2.0
// mistake: the number of blocks is rounded up for a factor of 1 and then divided by the factor, which rounds down. Length
//   700, factor 2: 3 blocks of 256, 3 / 2 = 1, and the elements 512 to 699 are not stored; length 100, factor 4: no
//   block at all, an error of the launch. With factor 1, or 65536 elements, it is right; so are the answers.
// want: length 700 and coarse_factor 2: how many blocks are launched, and how many elements do they serve?
#include "when_not_to.h"

#define BLOCK_SIZE 256

// Each thread jumps by a block's width, so that a warp always has neighbours.
__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int begin = blockIdx.x * BLOCK_SIZE * coarse_factor;
  int end = begin + BLOCK_SIZE * coarse_factor;
  if (end > length) end = length;

  for (int i = begin + threadIdx.x; i < end; i += BLOCK_SIZE) {
    C[i] = A[i] + B[i];
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  int blocks = (length + BLOCK_SIZE - 1) / BLOCK_SIZE;
  blocks /= coarse_factor;  // each does the work of coarse_factor blocks
  when_not_to_kernel<<<blocks, BLOCK_SIZE>>>(A, B, C, length, coarse_factor);
}
