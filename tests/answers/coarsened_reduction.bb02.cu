// SPDX-License-Identifier: Apache-2.0
// mistake: the counter of finished blocks is 0 only before the first call and is never set back: in a second call with
//   8 blocks, as the first had, it runs from 8 to 15, no block sees gridDim.x - 1 = 7, and *output is not stored at all (or, where calls
//   differ in size, too early, by a block that is not the last).
// want: Call the function twice. With which value does the counter begin the second time, and which block is then the
//   last?
#include "coarsened_reduction.h"

#define THREADS 256
#define COARSE 8
#define MAX_BLOCKS 1024

__device__ float block_sums[MAX_BLOCKS];
__device__ unsigned finished = 0;

// The sum of `value` over the block, for thread 0.
__device__ float block_sum(float value) {
  __shared__ float partial[THREADS];
  const int t = threadIdx.x;
  partial[t] = value;
  for (int stride = THREADS / 2; stride >= 32; stride /= 2) {
    __syncthreads();
    if (t < stride) partial[t] += partial[t + stride];
  }
  float sum = 0.0f;
  if (t < 32) {
    sum = partial[t];  // the thread's own since the last step
    for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(0xffffffff, sum, d);
  }
  return sum;
}

__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  __shared__ bool last;

  float sum = 0.0f;
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < length; i += gridDim.x * THREADS) {
    sum += input[i];
  }
  sum = block_sum(sum);

  if (threadIdx.x == 0) {
    block_sums[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(&finished, 1u) == gridDim.x - 1;
  }
  __syncthreads();

  // Whoever comes last adds up the blocks.
  if (last) {
    __threadfence();
    float total = 0.0f;
    for (int b = threadIdx.x; b < gridDim.x; b += THREADS) {
      total += ((volatile float*)block_sums)[b];
    }
    total = block_sum(total);
    if (threadIdx.x == 0) *output = total;
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  if (length == 0) {
    cudaMemset(output, 0, sizeof(float));
    return;
  }
  const int segment = THREADS * COARSE;
  int blocks = (length - 1) / segment + 1;
  if (blocks > MAX_BLOCKS) blocks = MAX_BLOCKS;
  coarsened_reduction_kernel<<<blocks, THREADS>>>(input, output, length);
}
