// SPDX-License-Identifier: Apache-2.0
// mistake: two. 1. The branch for the incomplete last segment steps by a whole segment (2048) instead of by the block
//   (256), so that each thread takes one element at most: elements from 256 on are missing there. Shows where length %
//   2048 is above 256. 2. Length 0 returns before anything stores the zero, so that *output keeps what it held.
// want: length is 1000: which elements does thread 5 of the only block add up in your second branch? And: length 0,
//   *output holds 7 before the call: what does it hold afterwards, and what is the sum of no elements?
#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define SEGMENT (BLOCK_SIZE * COARSE_FACTOR)

__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  __shared__ float partial[BLOCK_SIZE];

  const int t = threadIdx.x;
  const int begin = blockIdx.x * SEGMENT;
  const float* mine = input + begin + t;

  float sum = 0.0f;
  if (length - begin >= SEGMENT) {
    // complete: no need to check
#pragma unroll
    for (int c = 0; c < COARSE_FACTOR; ++c) {
      sum += mine[c * BLOCK_SIZE];
    }
  } else {
    for (int i = begin + t; i < length; i += SEGMENT) {
      sum += input[i];
    }
  }
  partial[t] = sum;
  __syncthreads();

  for (int stride = BLOCK_SIZE / 2; stride > 0; stride >>= 1) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }

  if (t == 0) atomicAdd(output, partial[0]);
}

void coarsened_reduction(const float* input, float* output, int length) {
  const int segments = (length + SEGMENT - 1) / SEGMENT;
  if (segments == 0) return;  // nothing to add

  cudaMemset(output, 0, sizeof(float));
  coarsened_reduction_kernel<<<segments, BLOCK_SIZE>>>(input, output, length);
}
