// SPDX-License-Identifier: Apache-2.0
// mistake: a block of 512 threads adds up two segments and stores both sums, also where the number of segments is odd: the
//   last block then writes sums[segments], one float past the end. n = 1: one segment, and sums[1] = 0 is stored.
//   The sums that exist are right, and so is the order of the tree.
// want: how many sums does the last block store when there are three segments? How many floats has sums?
#include "reduce_sequential.h"

#define PER_BLOCK 2

__global__ void reduce_kernel(const float* __restrict__ X, float* __restrict__ sums, int n) {
  __shared__ float partial[PER_BLOCK * SEGMENT];

  const int tx = threadIdx.x;
  const int which = tx / SEGMENT;  // the first or the second of this block's segments
  const int local = tx % SEGMENT;
  const int segment = blockIdx.x * PER_BLOCK + which;
  const int i = segment * SEGMENT + local;

  partial[tx] = i < n ? X[i] : 0.0f;

  for (int stride = SEGMENT >> 1; stride; stride >>= 1) {
    __syncthreads();
    if (local < stride) partial[tx] += partial[tx + stride];
  }

  if (local == 0) sums[segment] = partial[tx];
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int per_block = PER_BLOCK * SEGMENT;
  const int blocks = (n - 1) / per_block + 1;
  reduce_kernel<<<blocks, per_block>>>(X, sums, n);
}
