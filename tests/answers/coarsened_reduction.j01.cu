// SPDX-License-Identifier: Apache-2.0
// mistake: the block that finishes last adds up the others' sums, and a counter in device memory tells which one it is;
//   nobody sets the counter back to 0. The first call is right. In the second the counter starts where the first one
//   ended, so that in general no block takes itself for the last, and *output is not written (or a wrong block does it
//   too early).
// want: Call the function twice with the same input: what is in `finished` when the second call starts? Which ticket
//   does its last block draw, and what is it compared with?
#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define MAX_BLOCKS 512

__device__ float sum_of_block[MAX_BLOCKS];
__device__ unsigned int finished = 0;

// The sum of all threads' values; right in thread 0.
__device__ float tree(float mine) {
  __shared__ float partial[BLOCK_SIZE];
  const int t = threadIdx.x;
  partial[t] = mine;
  for (int stride = BLOCK_SIZE / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) {
      partial[t] += partial[t + stride];
    }
  }
  return partial[0];
}

__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  __shared__ bool last;
  const int t = threadIdx.x;

  float sum = 0.0f;
  for (long long i = (long long)blockIdx.x * BLOCK_SIZE + t; i < length; i += (long long)gridDim.x * BLOCK_SIZE) {
    sum += input[i];
  }
  sum = tree(sum);

  if (t == 0) {
    sum_of_block[blockIdx.x] = sum;
    __threadfence();  // everybody must see it before the ticket
    last = atomicAdd(&finished, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;

  __threadfence();
  const volatile float* sums = sum_of_block;
  float all = 0.0f;
  for (int b = t; b < int(gridDim.x); b += BLOCK_SIZE) {
    all += sums[b];
  }
  all = tree(all);
  if (t == 0) *output = all;
}

void coarsened_reduction(const float* input, float* output, int length) {
  if (length == 0) {
    cudaMemset(output, 0, sizeof(float));
    return;
  }
  const int segment = BLOCK_SIZE * COARSE_FACTOR;
  int blocks = (length - 1) / segment + 1;
  if (blocks > MAX_BLOCKS) blocks = MAX_BLOCKS;
  coarsened_reduction_kernel<<<blocks, BLOCK_SIZE>>>(input, output, length);
}
