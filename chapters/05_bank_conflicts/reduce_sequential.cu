// SPDX-License-Identifier: Apache-2.0
//
// Chapter 5, bank conflicts. The reduction below is right. But look at which threads work: every second one
// with stride 1, every fourth with stride 2. Up to stride 16, all warps work, with ever fewer active lanes.
// Rearrange the steps so that whole warps become idle early. So far there are no bank conflicts; add none.
//
//   ./warplings check reduce_sequential

#include "reduce_sequential.h"

// Each block adds up one segment, one thread per element. Each step halves the number of partial sums.
__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float partial[SEGMENT];

  const int tx = threadIdx.x;
  const int i = blockIdx.x * SEGMENT + tx;
  partial[tx] = i < n ? X[i] : 0.0f;  // 0 does not change a sum
  __syncthreads();

  // TODO 1: in which order must stride take its values so that the working threads are neighbours?
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
