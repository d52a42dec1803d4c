// SPDX-License-Identifier: Apache-2.0
// mistake: the last block to finish adds up all blocks' sums, and it is told by a counter that nobody sets back to 0: it is
//   right in a process's first call only. Two calls with length 2048: the first counts from 0 to 1; in the
//   second the one block sees 1 instead of 0, is not the last, and *output is not stored at all. (After a call of few
//   blocks, one of many ends too early.) The fence and the order of the sums are right.
// want: call the function twice. What does finished hold when the second call begins?
#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define SEGMENT_SIZE (BLOCK_SIZE * COARSE_FACTOR)

__device__ unsigned finished = 0;  // blocks whose sum is in sums[]

// The sum of all threads' values, in thread 0.
__device__ float block_sum(float value) {
  __shared__ float of_warp[BLOCK_SIZE / 32];
  for (int o = 16; o > 0; o >>= 1) value += __shfl_down_sync(0xffffffffu, value, o);
  __syncthreads();  // of_warp may still be read from the last time
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < BLOCK_SIZE / 32; ++w) value += of_warp[w];
  }
  return value;
}

__global__ void coarsened_reduction_kernel(const float* input, float* output, int length, volatile float* sums) {
  __shared__ bool last;

  float sum = 0.0f;
  const int begin = blockIdx.x * SEGMENT_SIZE;
  const int end = min(length, begin + SEGMENT_SIZE);
  for (int i = begin + threadIdx.x; i < end; i += BLOCK_SIZE) sum += input[i];
  sum = block_sum(sum);

  if (threadIdx.x == 0) {
    sums[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(&finished, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;

  sum = 0.0f;
  for (int b = threadIdx.x; b < gridDim.x; b += BLOCK_SIZE) sum += sums[b];
  sum = block_sum(sum);
  if (threadIdx.x == 0) *output = sum;
}

void coarsened_reduction(const float* input, float* output, int length) {
  const int segments = length > 0 ? (length - 1) / SEGMENT_SIZE + 1 : 1;
  float* sums;
  cudaMalloc(&sums, segments * sizeof(float));
  coarsened_reduction_kernel<<<segments, BLOCK_SIZE>>>(input, output, length, sums);
  cudaFree(sums);
}
