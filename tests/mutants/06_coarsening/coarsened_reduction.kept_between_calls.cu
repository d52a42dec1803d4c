// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the number of finished blocks is right in the first call only.
#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8

// How many sums have been added. Nobody sets it back.
__device__ unsigned int finished = 0;
__device__ float total = 0.0f;

// Adds the sum of one segment of BLOCK_SIZE * COARSE_FACTOR elements to total; the last block stores it.
__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  __shared__ float partial[BLOCK_SIZE];

  const int t = threadIdx.x;
  const int first = blockIdx.x * BLOCK_SIZE * COARSE_FACTOR + t;

  // Its elements are BLOCK_SIZE apart: in each step the threads of a warp read 32 neighbours, four sectors.
  float sum = 0.0f;
  for (int c = 0; c < COARSE_FACTOR; ++c) {
    const int i = first + c * BLOCK_SIZE;
    if (i < length) {
      sum += input[i];
    }
  }
  partial[t] = sum;

  // The tree, once a segment.
  for (int stride = BLOCK_SIZE / 2; stride > 0; stride /= 2) {
    __syncthreads();  // what the round before wrote is there; all threads come here, also the idle ones
    if (t < stride) {
      partial[t] += partial[t + stride];
    }
  }

  if (t == 0) {
    atomicAdd(&total, partial[0]);
    __threadfence();
    if (atomicAdd(&finished, 1u) == gridDim.x - 1) *output = atomicExch(&total, 0.0f);
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  const int segment = BLOCK_SIZE * COARSE_FACTOR;
  if (length == 0) cudaMemset(output, 0, sizeof(float));
  const int segments = (length + segment - 1) / segment;
  if (segments > 0) {  // a grid without blocks is an error
    coarsened_reduction_kernel<<<segments, BLOCK_SIZE>>>(input, output, length);
  }
}
