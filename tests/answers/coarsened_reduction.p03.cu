// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: in the last, incomplete segment only whole rows of 256 elements are added, (length - base) / 256
//   of them, rounded down: length 300 adds the first 256 only, and length 5 nothing. And length 0 returns before output
//   is set to 0, so that it keeps what it held.
// want: Length 300: how many steps do the threads of the only block take, and which thread adds input[256]?
#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8
#define SEGMENT (BLOCK_SIZE * COARSE_FACTOR)

__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  __shared__ float partial[BLOCK_SIZE];

  const int t = threadIdx.x;
  const int base = blockIdx.x * SEGMENT;

  // All steps but in the last block, where there may be fewer.
  int steps = COARSE_FACTOR;
  if (base + SEGMENT > length) steps = (length - base) / BLOCK_SIZE;

  float sum = 0.0f;
  for (int step = 0; step < steps; ++step) {
    sum += input[base + step * BLOCK_SIZE + t];
  }
  partial[t] = sum;

  for (int stride = BLOCK_SIZE / 2; stride >= 32; stride /= 2) {
    __syncthreads();
    if (t < stride) {
      partial[t] += partial[t + stride];
    }
  }

  // 32 sums are left, written by the threads that read them now
  if (t < 32) {
    sum = partial[t];
    for (int stride = 16; stride > 0; stride /= 2) sum += __shfl_down_sync(~0u, sum, stride);
    if (t == 0) atomicAdd(output, sum);
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  // a launch of no blocks is an error
  if (length == 0) return;

  cudaMemset(output, 0, sizeof(float));
  const int segments = (length + SEGMENT - 1) / SEGMENT;
  coarsened_reduction_kernel<<<segments, BLOCK_SIZE>>>(input, output, length);
}
