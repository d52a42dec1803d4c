// SPDX-License-Identifier: Apache-2.0
// mistake: The blocks' sums go to an array of 256, and the second kernel adds at most 256 of them; but nothing limits the number of
//   blocks. From 524289 elements on there are more: block 256 stores past the end of the array, and its sum is not added.
//   Right up to 524288 elements.
// want: How many blocks does your first kernel have for 1,000,000 elements, and how many sums has the second one room for?
#include "coarsened_reduction.h"

constexpr int kBlock = 256;
constexpr int kCoarse = 8;

__device__ float block_sums[kBlock];

// The sum of all threads' values, in thread 0.
__device__ float block_sum(float value) {
  __shared__ float s[kBlock];
  const int t = threadIdx.x;
  s[t] = value;
#pragma unroll
  for (int half = kBlock / 2; half >= 1; half >>= 1) {
    __syncthreads();
    if (t < half) s[t] += s[t + half];
  }
  return s[0];
}

// First all segments ...
__global__ void segments_kernel(const float* input, int length) {
  const int first = blockIdx.x * kBlock * kCoarse + threadIdx.x;
  float mine = 0.0f;
#pragma unroll
  for (int j = 0; j < kCoarse; ++j) {
    if (first + j * kBlock < length) mine += input[first + j * kBlock];
  }
  const float sum = block_sum(mine);
  if (threadIdx.x == 0) block_sums[blockIdx.x] = sum;
}

// ... then their sums, with a single block. No atomics and no memset this way.
__global__ void total_kernel(float* output, int blocks) {
  const float sum = block_sum(threadIdx.x < blocks ? block_sums[threadIdx.x] : 0.0f);
  if (threadIdx.x == 0) *output = sum;
}

void coarsened_reduction(const float* input, float* output, int length) {
  const int blocks = (length + kBlock * kCoarse - 1) / (kBlock * kCoarse);
  if (blocks > 0) segments_kernel<<<blocks, kBlock>>>(input, length);
  total_kernel<<<1, kBlock>>>(output, blocks);
}
