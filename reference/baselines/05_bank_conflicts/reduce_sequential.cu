// SPDX-License-Identifier: Apache-2.0
//
// What sequential addressing is measured against: the tree with interleaved addressing.

#include "reduce_sequential.h"

// Sums of segments, one block each. The threads that add are 2 * stride apart: warps part, banks conflict.
__global__ void interleaved_kernel(const float* X, float* sums, int n) {
  __shared__ float partial[SEGMENT];

  const int tx = threadIdx.x;
  const int i = blockIdx.x * SEGMENT + tx;
  partial[tx] = i < n ? X[i] : 0.0f;
  __syncthreads();
  for (int stride = 1; stride < SEGMENT; stride *= 2) {
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
  interleaved_kernel<<<(n + SEGMENT - 1) / SEGMENT, SEGMENT>>>(X, sums, n);
}
