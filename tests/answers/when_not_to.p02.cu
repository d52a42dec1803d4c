// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the number of threads is length / coarse_factor rounded down, so that the last elements may get
//   none: length 1025 with coarse_factor 4 has 256 threads, one block, and C[1024] stays; length 3 with 4 launches no
//   block at all. And in the .toml the idle multiprocessors are 104: 8192 threads, 2048 to a multiprocessor, as if it
//   were filled before the next one gets a block; the 32 blocks go to 32 multiprocessors, so that 76 are idle.
// want: Length 1025, coarse_factor 4: how many threads do you ask for, and which of them adds C[1024]?
#include "when_not_to.h"

#define BLOCK_SIZE 256

__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int begin = blockIdx.x * blockDim.x * coarse_factor;
  const int end = min(begin + (int)blockDim.x * coarse_factor, length);

  for (int i = begin + threadIdx.x; i < end; i += blockDim.x) C[i] = A[i] + B[i];
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int threads = length / coarse_factor;
  const int blocks = (threads + BLOCK_SIZE - 1) / BLOCK_SIZE;
  when_not_to_kernel<<<blocks, BLOCK_SIZE>>>(A, B, C, length, coarse_factor);
}
