// SPDX-License-Identifier: Apache-2.0
// mistake: blocks of 192 threads, and a tree that halves: 96, 48, 24, 12, 6, 3, 1. After stride 3, three partial sums are
//   left, and stride 1 adds the second to the first: partial[2] is lost, 1/3 of the block's threads at the end of the
//   tree. A sum of 192 ones gives 128.
// want: Follow the strides on from 192 threads: how many partial sums are left after stride 3, and which of them does
//   stride 1 add? Halving needs a power of two.
#include "coarsened_reduction.h"

#define BLOCK_SIZE 192  // 6 warps
#define COARSE_FACTOR 8

__global__ void coarsened_reduction_kernel(const float* input, float* output, int length) {
  __shared__ float partial[BLOCK_SIZE];

  const int t = threadIdx.x;
  const int first = blockIdx.x * (BLOCK_SIZE * COARSE_FACTOR) + t;

  float own = 0.0f;
#pragma unroll
  for (int step = 0; step < COARSE_FACTOR; ++step) {
    const int i = first + step * BLOCK_SIZE;
    own += i < length ? input[i] : 0.0f;
  }
  partial[t] = own;
  __syncthreads();

  for (int stride = BLOCK_SIZE / 2; stride >= 1; stride = stride / 2) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }

  if (t == 0) atomicAdd(output, partial[0]);
}

void coarsened_reduction(const float* input, float* output, int length) {
  cudaMemset(output, 0, sizeof(float));
  if (length == 0) return;  // the zero is there already

  const int segment = BLOCK_SIZE * COARSE_FACTOR;
  coarsened_reduction_kernel<<<(length + segment - 1) / segment, BLOCK_SIZE>>>(input, output, length);
}
