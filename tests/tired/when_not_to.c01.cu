// SPDX-License-Identifier: Apache-2.0
// mistake: only the answers file is wrong: thinks that blocks are packed, 2048 threads to a multiprocessor, before the
//   next one gets any: 8192 threads fill 4, so that 104 were idle. The 32 blocks are dealt out to 32 multiprocessors,
//   76 get none. The kernel is right.
// want: How many blocks are launched for 65536 elements with factor 8? Does a second block go to a multiprocessor
//   while another one has none at all?
#include "when_not_to.h"

#define BLOCK_SIZE 256

__device__ void add_one(const float* A, const float* B, float* C, int length, int i) {
  if (i < length) C[i] = A[i] + B[i];
}

__global__ void when_not_to_kernel(const float* A, const float* B, float* C, int length, int coarse_factor) {
  int i = blockIdx.x * blockDim.x * coarse_factor + threadIdx.x;
  while (coarse_factor-- > 0) {
    add_one(A, B, C, length, i);
    i += blockDim.x;
  }
}

void when_not_to(const float* A, const float* B, float* C, int length, int coarse_factor) {
  const int threads = (length + coarse_factor - 1) / coarse_factor;
  const int blocks = (threads + BLOCK_SIZE - 1) / BLOCK_SIZE;
  when_not_to_kernel<<<blocks, BLOCK_SIZE>>>(A, B, C, length, coarse_factor);
}
