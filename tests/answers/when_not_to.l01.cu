// SPDX-License-Identifier: Apache-2.0
// mistake: the kernel is right, and so are the answers; the number of blocks is rounded down when the groups of 256 are
//   divided by coarse_factor, and only saved from being 0: 1300 elements with factor 4 are 6 groups, 6 / 4 = 1 block,
//   and the elements from 1024 on are never added.
// want: 1300 elements, coarse_factor 4: how many elements does a block serve, how many blocks do you launch, and who adds
//   element 1299? Round up once more.
#include "when_not_to.h"

#define BLOCK_SIZE 256

__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int begin = blockIdx.x * BLOCK_SIZE * coarse_factor + threadIdx.x;

  // in each step the block moves on by its own width
  for (int step = 0; step < coarse_factor; ++step) {
    const int i = begin + step * BLOCK_SIZE;
    if (i < length) {
      C[i] = A[i] + B[i];
    }
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  // groups of 256 elements, of which each block takes coarse_factor
  const int groups = (length + BLOCK_SIZE - 1) / BLOCK_SIZE;
  int blocks = groups / coarse_factor;
  if (blocks == 0) blocks = 1;  // short arrays
  when_not_to_kernel<<<blocks, BLOCK_SIZE>>>(A, B, C, length, coarse_factor);
}
