// SPDX-License-Identifier: Apache-2.0
// mistake: threads that have no element return, and then the rest of their warp shuffles with the full mask, which names
//   lanes that are gone: undefined. length 1: lane 0 adds what lanes 1, 2, 4, 8, 16 no longer give. Right where each
//   warp that has an element is full. (One atomic for each warp is 1 for 256 elements, which is allowed; a block without
//   any element is harmless.)
// want: length 1: which lanes of the first warp reach the shuffle, and which lanes does the mask name?
#include "coarsened_reduction.h"

constexpr int kBlock = 256;
constexpr int kCoarse = 8;

__global__ void sum_kernel(const float* __restrict__ input, float* output, int length) {
  int i = blockIdx.x * kBlock * kCoarse + threadIdx.x;
  if (i >= length) return;

  float sum = 0.0f;
  for (int step = 0; step < kCoarse && i < length; ++step, i += kBlock) {
    sum += input[i];
  }

  // a tree in each warp, without shared memory and barriers
  for (int offset = 16; offset > 0; offset /= 2) {
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  }

  // every warp stands for 32 * 8 elements
  if (threadIdx.x % 32 == 0) atomicAdd(output, sum);
}

void coarsened_reduction(const float* input, float* output, int length) {
  cudaMemset(output, 0, sizeof *output);
  // always one more, so there is never a launch of none
  const int blocks = length / (kBlock * kCoarse) + 1;
  sum_kernel<<<blocks, kBlock>>>(input, output, length);
}
