// SPDX-License-Identifier: Apache-2.0
// mistake: block 0 sets *output to zero within the kernel, and a barrier is thought to order that before all atomics;
//   it orders one block only, so that sums that other blocks have added already are lost, or added to old contents.
// want: Block 5 may be done before block 0 has begun. What does *output hold when block 5 adds its sum, and whom does
//   your barrier make wait?

#include "coarsened_reduction.h"

#define BLOCK_SIZE 128
#define COARSE_FACTOR 16
#define SEGMENT (BLOCK_SIZE * COARSE_FACTOR)

__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  __shared__ float partial[BLOCK_SIZE];
  const int t = threadIdx.x;

  // no memset may store the result, so it begins at 0 here
  if (blockIdx.x == 0 && t == 0) *output = 0.0f;

  const int begin = blockIdx.x * SEGMENT;
  const int end = min(begin + SEGMENT, length);
  float sum = 0.0f;
  for (int i = begin + t; i < end; i += BLOCK_SIZE) {
    sum += input[i];
  }
  partial[t] = sum;
  __syncthreads();

  for (int stride = BLOCK_SIZE / 2; stride >= 32; stride /= 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }

  if (t < 32) {
    float v = partial[t];
    for (int offset = 16; offset >= 1; offset /= 2) {
      v += __shfl_xor_sync(0xffffffffu, v, offset);
    }
    if (t == 0) atomicAdd(output, v);
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  // at least one block, which stores the zero when there is nothing to add
  int blocks = (length + SEGMENT - 1) / SEGMENT;
  if (blocks == 0) blocks = 1;
  coarsened_reduction_kernel<<<blocks, BLOCK_SIZE>>>(input, output, length);
}
