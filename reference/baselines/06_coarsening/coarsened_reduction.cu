// SPDX-License-Identifier: Apache-2.0
//
// What coarsening is measured against: a tree for every 256 elements, one element for each thread.

#include "coarsened_reduction.h"

#define BLOCK_SIZE 256

// Adds the sum of BLOCK_SIZE elements, one for each thread, to *output.
__global__ void uncoarsened_kernel(const float* input, float* output, int length) {
  __shared__ float partial[BLOCK_SIZE];

  const int t = threadIdx.x;
  const int i = blockIdx.x * BLOCK_SIZE + t;
  partial[t] = i < length ? input[i] : 0.0f;
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
  const int blocks = (length + BLOCK_SIZE - 1) / BLOCK_SIZE;
  if (blocks > 0) {
    uncoarsened_kernel<<<blocks, BLOCK_SIZE>>>(input, output, length);
  }
}
