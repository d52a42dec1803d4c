// SPDX-License-Identifier: Apache-2.0
// mistake: the grid always has 1024 blocks and the threads stride over the input: with a million elements each
//   of the 262,144 threads adds up only four, where at least eight a thread are graded. The sum is right.
// want: how many elements does one of your threads add up at length 1,000,000? The number of blocks has to
//   follow from the length and COARSE_FACTOR.
#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define WARPS (BLOCK_SIZE / 32)
#define BLOCKS 1024

__device__ float warp_sum(float value) {
#pragma unroll
  for (int lanes = 16; lanes > 0; lanes /= 2) {
    value += __shfl_xor_sync(0xffffffffu, value, lanes);
  }
  return value;
}

// Grid-stride: every thread adds up elements until there are none left.
__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  __shared__ float partial[WARPS];

  const int t = threadIdx.x;
  float sum = 0.0f;
  for (int i = blockIdx.x * BLOCK_SIZE + t; i < length; i += gridDim.x * BLOCK_SIZE) {
    sum += input[i];
  }

  sum = warp_sum(sum);
  if (t % 32 == 0) {
    partial[t / 32] = sum;
  }
  __syncthreads();

  if (t < 32) {
    sum = warp_sum(t < WARPS ? partial[t] : 0.0f);
    if (t == 0) {
      atomicAdd(output, sum);
    }
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  cudaMemset(output, 0, sizeof(float));
  if (length == 0) return;
  coarsened_reduction_kernel<<<BLOCKS, BLOCK_SIZE>>>(input, output, length);
}
