// SPDX-License-Identifier: Apache-2.0
// mistake: output is set to zero by the first thread of block 0 of the same launch. Blocks run in any order: one that adds
//   its sum before block 0 has come to its store loses it. Shows from two blocks on (length above 2048), and not in
//   every run; with one block (also for length 0) it is right, and so are the sums of warps, added one by one.
// want: What makes sure that block 5 adds its sum after block 0 has written the zero?
#include "coarsened_reduction.h"

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8

__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  const int t = threadIdx.x;

  if (blockIdx.x == 0 && t == 0) {
    *output = 0.0f;  // the first thread of all
  }
  __syncthreads();

  const int begin = blockIdx.x * BLOCK_SIZE * COARSE_FACTOR;
  float sum = 0.0f;
#pragma unroll
  for (int c = 0; c < COARSE_FACTOR; ++c) {
    const int i = begin + c * BLOCK_SIZE + t;
    sum += i < length ? input[i] : 0.0f;
  }

  // No tree in shared memory: a warp adds its lanes, and there is one atomic for its 256 elements.
  for (int d = 16; d >= 1; d /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, d);
  }
  if ((t & 31) == 0) {
    atomicAdd(output, sum);
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  const int segment = BLOCK_SIZE * COARSE_FACTOR;
  int blocks = (length + segment - 1) / segment;
  if (blocks == 0) blocks = 1;  // so that the zero is written
  coarsened_reduction_kernel<<<blocks, BLOCK_SIZE>>>(input, output, length);
}
