// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the second kernel adds all 1024 partial sums, also those that this call's blocks did not write, and
//   they keep what an earlier, longer call left there (first length 1,000,000, then 1000: the second result has the
//   first call's partial sums 1 to 488 in it). And length 0 launches a grid of no blocks, which is an error (and the second
//   kernel then adds old sums, partials[0] among them).
// want: Call the function for a million elements, and then for a thousand. Which partial sums did the second call write, and
//   which does its second kernel add? (Then: what is `blocks` for length 0?)
#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define MAX_BLOCKS 1024

__device__ float partials[MAX_BLOCKS];  // one for each block, 0 at the start of the program

// Sum over the block; the result is thread 0's.
template <int SIZE>
__device__ float block_sum(float v) {
  __shared__ float s[SIZE];
  const int t = threadIdx.x;
  s[t] = v;
  for (int stride = SIZE / 2; stride >= 32; stride >>= 1) {
    __syncthreads();
    if (t < stride) s[t] = v = v + s[t + stride];
  }
  if (t < 32) {
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  }
  return v;
}

__global__ void first_kernel(const float* input, int length) {
  const int segment = BLOCK_SIZE * COARSE_FACTOR;
  float sum = 0.0f;
  for (long long start = 1LL * blockIdx.x * segment; start < length; start += 1LL * gridDim.x * segment) {
    for (int c = 0; c < COARSE_FACTOR; ++c) {
      const long long i = start + c * BLOCK_SIZE + threadIdx.x;
      if (i < length) sum += input[i];
    }
  }
  sum = block_sum<BLOCK_SIZE>(sum);
  if (threadIdx.x == 0) partials[blockIdx.x] = sum;
}

// One block, no atomics.
__global__ void second_kernel(float* output) {
  const float sum = block_sum<MAX_BLOCKS>(partials[threadIdx.x]);
  if (threadIdx.x == 0) *output = sum;
}

void coarsened_reduction(const float* input, float* output, int length) {
  const int segment = BLOCK_SIZE * COARSE_FACTOR;
  int blocks = length / segment + (length % segment != 0);
  if (blocks > MAX_BLOCKS) blocks = MAX_BLOCKS;
  first_kernel<<<blocks, BLOCK_SIZE>>>(input, length);
  second_kernel<<<1, MAX_BLOCKS>>>(output);
}
