// SPDX-License-Identifier: Apache-2.0
// mistake: *output is set to 0 by a thread of block 0 in the kernel itself: nothing orders this store against the
//   atomic additions of other blocks, which may come before it and are lost. Right with one block.
// want: which barrier lies between the store of 0 in block 0 and the atomicAdd of block 5? __syncthreads() holds
//   within one block; what has to be done before all blocks belongs before the launch.
#include <cooperative_groups.h>

#include "coarsened_reduction.h"

namespace cg = cooperative_groups;

#define BLOCK_SIZE 256
#define COARSE_FACTOR 8

__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  __shared__ float partial[BLOCK_SIZE];

  cg::thread_block block = cg::this_thread_block();
  const int t = block.thread_rank();

  // What output held before means nothing.
  if (blockIdx.x == 0 && t == 0) {
    *output = 0.0f;
  }

  float sum = 0.0f;
  int i = blockIdx.x * BLOCK_SIZE * COARSE_FACTOR + t;
#pragma unroll
  for (int c = 0; c < COARSE_FACTOR; ++c, i += BLOCK_SIZE) {
    if (i < length) {
      sum += input[i];
    }
  }
  partial[t] = sum;
  block.sync();

  for (int stride = BLOCK_SIZE / 2; stride > 0; stride >>= 1) {
    if (t < stride) {
      partial[t] += partial[t + stride];
    }
    block.sync();
  }

  if (t == 0) {
    atomicAdd(output, partial[0]);
  }
}

void coarsened_reduction(const float* input, float* output, int length) {
  // At least one block, which sets the output to 0.
  const int segment = BLOCK_SIZE * COARSE_FACTOR;
  const int segments = length > 0 ? (length + segment - 1) / segment : 1;
  coarsened_reduction_kernel<<<segments, BLOCK_SIZE>>>(input, output, length);
}
