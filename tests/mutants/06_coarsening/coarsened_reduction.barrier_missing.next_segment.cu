// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: a block goes on to its next segment while thread 0 may still read the sum of this one.
#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define MOST_BLOCKS 108

__global__ void coarsened_reduction_kernel(const float* input, float* output, int length, int segments) {
  __shared__ float partial[BLOCK_SIZE];

  const int t = threadIdx.x;
  for (int segment = blockIdx.x; segment < segments; segment += gridDim.x) {
    const int first = segment * BLOCK_SIZE * COARSE_FACTOR + t;

    float sum = 0.0f;
    for (int c = 0; c < COARSE_FACTOR; ++c) {
      const int i = first + c * BLOCK_SIZE;
      if (i < length) {
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
      atomicAdd(output, partial[0]);
    }
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  cudaMemset(output, 0, sizeof(float));

  const int segment = BLOCK_SIZE * COARSE_FACTOR;
  const int segments = (length + segment - 1) / segment;
  if (segments > 0) {
    const int blocks = segments < MOST_BLOCKS ? segments : MOST_BLOCKS;
    coarsened_reduction_kernel<<<blocks, BLOCK_SIZE>>>(input, output, length, segments);
  }
}
