// SPDX-License-Identifier: Apache-2.0
// mistake: the block's start is still blockIdx.x * BLOCK_SIZE, while each block reads 8 * BLOCK_SIZE elements from
//   there: the segments overlap and elements are added up to eight times; those at the end never.
// want: Which elements does block 0 add, and which block 1? Where does block 1's segment have to begin if block 0 has
//   served 2048 elements?
#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8

__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  __shared__ float partial[BLOCK_SIZE];

  const int t = threadIdx.x;

  int i = blockIdx.x * BLOCK_SIZE + t;
  float sum = 0.0f;
  for (int c = 0; c < COARSE_FACTOR; ++c) {
    if (i < length) {
      sum += input[i];
    }
    i += BLOCK_SIZE;  // next step, neighbours again
  }
  partial[t] = sum;

  for (int stride = BLOCK_SIZE / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) {
      partial[t] += partial[t + stride];
    }
  }

  if (t == 0) {
    atomicAdd(output, partial[0]);
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  cudaMemset(output, 0, sizeof(float));

  const int segment = BLOCK_SIZE * COARSE_FACTOR;
  const int segments = (length + segment - 1) / segment;
  if (segments > 0) {
    coarsened_reduction_kernel<<<segments, BLOCK_SIZE>>>(input, output, length);
  }
}
