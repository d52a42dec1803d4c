// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: segments of 2048 elements, and a block for each 256: seven of eight blocks find nothing.
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
    atomicAdd(output, partial[0]);
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  cudaMemset(output, 0, sizeof(float));

  const int segment = BLOCK_SIZE;
  const int segments = (length + segment - 1) / segment;
  if (segments > 0) {
    coarsened_reduction_kernel<<<segments, BLOCK_SIZE>>>(input, output, length);
  }
}
