// SPDX-License-Identifier: Apache-2.0
// mistake: the block that is the last to finish stores the sum; a counter in device memory tells which one that is. The sum
//   is set back to 0 for the next call, the counter is not: the first call is right, and from the second on no block, or
//   the wrong one, takes itself for the last.
// want: Call the function twice: what is in `finished` when the second call begins, and which of its blocks draws the
//   number gridDim.x - 1? What lives in device memory survives the kernel.
#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8

__device__ float total = 0.0f;
__device__ unsigned int finished = 0;

__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  __shared__ float partial[BLOCK_SIZE];

  const int t = threadIdx.x;
  const int begin = blockIdx.x * BLOCK_SIZE * COARSE_FACTOR;

  float sum = 0.0f;
  for (int c = 0; c < COARSE_FACTOR; ++c) {
    const int i = begin + c * BLOCK_SIZE + t;
    if (i < length) sum += input[i];
  }
  partial[t] = sum;

  for (int stride = BLOCK_SIZE / 2; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) {
      partial[t] += partial[t + stride];
    }
  }

  if (t == 0) {
    atomicAdd(&total, partial[0]);
    __threadfence();  // the sum before the number
    const unsigned int number = atomicAdd(&finished, 1u);
    if (number == gridDim.x - 1) {
      // all are in: hand it over, and leave 0 behind
      *output = atomicExch(&total, 0.0f);
    }
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  const int segment = BLOCK_SIZE * COARSE_FACTOR;
  int segments = length / segment;
  if (length % segment != 0 || length == 0) ++segments;  // at least one block, also for the empty sum
  coarsened_reduction_kernel<<<segments, BLOCK_SIZE>>>(input, output, length);
}
