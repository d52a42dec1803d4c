// SPDX-License-Identifier: Apache-2.0
// mistake: the second kernel always adds up all 1024 sums of blocks, and those that this call's blocks did not
//   write are left from an earlier call. The first call finds zeros and is right; after a sum of 1,000,000
//   elements (489 blocks) the sum of 100 elements (1 block) contains 488 old ones.
// want: Call the function for a long array and then for a short one. Who wrote block_sums[1] then, and when?
#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define MAX_BLOCKS 1024

__device__ float block_sums[MAX_BLOCKS];  // zero at the start

template <typename Get>
__device__ float block_sum(Get get, int begin, int step, int length) {
  __shared__ float partial[BLOCK_SIZE];
  float sum = 0.0f;
  for (int i = begin; i < length; i += step) sum += get(i);
  partial[threadIdx.x] = sum;
  for (int stride = BLOCK_SIZE / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
  }
  return partial[0];  // thread 0's business
}

// 1: a sum for each block; blocks go over the input together as often as that takes
__global__ void first_kernel(const float* input, int length) {
  const float sum = block_sum([=](int i) { return input[i]; }, blockIdx.x * BLOCK_SIZE + threadIdx.x,
                              gridDim.x * BLOCK_SIZE, length);
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
}

// 2: one block adds those up, without atomics
__global__ void second_kernel(float* output) {
  const float sum = block_sum([](int i) { return block_sums[i]; }, threadIdx.x, BLOCK_SIZE, MAX_BLOCKS);
  if (threadIdx.x == 0) *output = sum;
}

void coarsened_reduction(const float* input, float* output, int length) {
  const int segment = BLOCK_SIZE * COARSE_FACTOR;
  int blocks = length / segment + (length % segment ? 1 : 0);
  if (blocks > MAX_BLOCKS) blocks = MAX_BLOCKS;
  if (blocks < 1) blocks = 1;
  first_kernel<<<blocks, BLOCK_SIZE>>>(input, length);
  second_kernel<<<1, BLOCK_SIZE>>>(output);
}
