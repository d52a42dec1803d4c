// SPDX-License-Identifier: Apache-2.0
// exercise: reduce_sequential
// verdict: not passed
// must not: pass
// The starter; dummy launches of thousands of blocks without divergence, if branches are counted for each block.

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

static void solve(const float* X, float* sums, int n) {
  const int segments = (n + SEGMENT - 1) / SEGMENT;
  reduce_kernel<<<segments, SEGMENT>>>(X, sums, n);
}


__global__ void calm(int n) { for (int i = 0; i < n; ++i) __syncthreads(); }

void reduce_sequential(const float* X, float* sums, int n) {
  for (int i = 0; i < 20; ++i) calm<<<100, SEGMENT>>>(3);
  solve(X, sums, n);

}
