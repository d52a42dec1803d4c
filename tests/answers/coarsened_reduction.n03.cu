// SPDX-License-Identifier: Apache-2.0
// mistake: two. (1) block 0 stores its sum to output while the other blocks add theirs atomically: what was added before
//   block 0's store is lost, and before it output holds anything. (2) `<=` reads and adds input[length].
// want: Does block 0 surely come first? What does output hold when block 5 adds before block 0 stores? (Then: length is 1:
//   which elements exist, and which indices pass your test?)
#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8

__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  __shared__ float partial[BLOCK_SIZE];

  const int t = threadIdx.x;
  const int start = blockIdx.x * BLOCK_SIZE * COARSE_FACTOR + t;

  float sum = 0.0f;
  for (int c = 0; c < COARSE_FACTOR; ++c) {
    const int i = start + c * BLOCK_SIZE;
    if (i <= length) {
      sum += input[i];
    }
  }
  partial[t] = sum;

  for (int stride = BLOCK_SIZE / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) {
      partial[t] += partial[t + stride];
    }
  }

  if (t == 0) {
    if (blockIdx.x == 0) {
      *output = partial[0];  // the first one overwrites the old value
    } else {
      atomicAdd(output, partial[0]);
    }
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  if (length < 1) {
    cudaMemset(output, 0, sizeof(float));
  } else {
    const int segment = BLOCK_SIZE * COARSE_FACTOR;
    coarsened_reduction_kernel<<<(length + segment - 1) / segment, BLOCK_SIZE>>>(input, output, length);
  }
}
