// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: block 0 sets the output to 0 while other blocks add to it.
#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8

__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  __shared__ float partial[BLOCK_SIZE];

  const int t = threadIdx.x;
  const int first = blockIdx.x * BLOCK_SIZE * COARSE_FACTOR + t;

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
    if (blockIdx.x == 0) *output = 0.0f;
    atomicAdd(output, partial[0]);
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  const int segment = BLOCK_SIZE * COARSE_FACTOR;
  const int segments = (length + segment - 1) / segment;
  if (segments == 0) {
    cudaMemset(output, 0, sizeof(float));
    return;
  }
  coarsened_reduction_kernel<<<segments, BLOCK_SIZE>>>(input, output, length);
}
