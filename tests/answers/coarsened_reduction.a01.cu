// SPDX-License-Identifier: Apache-2.0
// mistake: the grid still counts segments of BLOCK_SIZE elements: eight times as many blocks as needed, seven of eight
//   find nothing to add (the sum is right, the threads are far more than length / 8).
// want: How many elements does a block serve now, and for how many does your launch count one block? Look at the number
//   of threads in the report.
#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8

__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  __shared__ float partial[BLOCK_SIZE];

  const int t = threadIdx.x;

  const long long start = (long long)blockIdx.x * BLOCK_SIZE * COARSE_FACTOR;
  float sum = 0.0f;
  for (int c = 0; c < COARSE_FACTOR; ++c) {
    const long long i = start + c * BLOCK_SIZE + t;
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
  if (length == 0) return;  // the sum of nothing is 0

  const int segments = (length + BLOCK_SIZE - 1) / BLOCK_SIZE;
  coarsened_reduction_kernel<<<segments, BLOCK_SIZE>>>(input, output, length);
}
