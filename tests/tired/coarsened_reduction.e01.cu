// SPDX-License-Identifier: Apache-2.0
// mistake: block 0 sets *output to 0 in the same kernel in which the others add to it; nothing makes them wait for
//   it (a barrier holds for one block only), so that sums added before it are lost, or added to what was there.
// want: Block 7 is done before block 0 begins. What has it added its sum to, and what becomes of it? For whom does
//   __syncthreads wait?

#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8

__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  __shared__ float partial[BLOCK_SIZE];

  const int t = threadIdx.x;

  // start from 0; everybody waits for it at the barriers below
  if (blockIdx.x == 0 && t == 0) {
    *output = 0.0f;
  }
  __syncthreads();

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
    atomicAdd(output, partial[0]);
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  const int segment = BLOCK_SIZE * COARSE_FACTOR;
  int segments = (length + segment - 1) / segment;
  if (segments == 0) segments = 1;  // somebody has to store the 0
  coarsened_reduction_kernel<<<segments, BLOCK_SIZE>>>(input, output, length);
}
