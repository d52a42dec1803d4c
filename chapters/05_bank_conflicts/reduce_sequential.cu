// SPDX-License-Identifier: Apache-2.0
//
// Chapter 5, bank conflicts. The reduction below is right. But look at who works: with stride 1 every other
// thread, with stride 2 every fourth, so that each warp is there to the end with ever fewer of its lanes.
// Arrange the steps anew, so that whole warps rest and no two lanes meet in a bank.
//
//   ./warplings check reduce_sequential

#include "reduce_sequential.h"

// Each block adds up one segment, one thread for each element, in steps that halve the number of summands.
__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float partial[SEGMENT];

  const int tx = threadIdx.x;
  const int i = blockIdx.x * SEGMENT + tx;
  partial[tx] = i < n ? X[i] : 0.0f;  // 0 adds nothing to any sum
  __syncthreads();

  // TODO 1: in which order should stride take its values, so that the threads that work are neighbours?
  for (int stride = 1; stride < SEGMENT; stride *= 2) {
    // TODO 2: which threads work in this step, and which two elements does each of them add?
    if (tx % (2 * stride) == 0) {
      partial[tx] += partial[tx + stride];
    }
    __syncthreads();
  }

  if (tx == 0) {
    sums[blockIdx.x] = partial[0];
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int segments = (n + SEGMENT - 1) / SEGMENT;
  reduce_kernel<<<segments, SEGMENT>>>(X, sums, n);
}
