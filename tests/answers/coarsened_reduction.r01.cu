// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: there are always 256 blocks of 256 threads, 65536 threads, where length / 8 + 1024 are allowed:
//   at length 65536 that is 9216, and only from 516096 elements on the bound is kept (the arrivals at barriers are too
//   many for the same reason). And where length is 0 the function returns before cudaMemset, so that *output keeps what it
//   held before, though the sum of no elements is 0. Values are right for every other length.
// want: How many threads does your launch have for 65536 elements, and how many of them does the contract allow?
#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define GRID_SIZE 256  // enough for any GPU

__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  __shared__ float partial[BLOCK_SIZE];

  const int t = threadIdx.x;

  // Walk over the input with the whole grid until it ends.
  float sum = 0.0f;
  for (long long i = blockIdx.x * BLOCK_SIZE + t; i < length; i += GRID_SIZE * BLOCK_SIZE) {
    sum += input[i];
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
  if (length == 0) return;  // nothing to add
  cudaMemset(output, 0, sizeof(float));
  coarsened_reduction_kernel<<<GRID_SIZE, BLOCK_SIZE>>>(input, output, length);
}
