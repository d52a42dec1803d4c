// SPDX-License-Identifier: Apache-2.0
// exercise: reduce_sequential
// verdict: not passed
// must not: pass
// The starter, full of divergence, writes to scratch; a clean kernel reads X in whole sectors and stores the scratch.

#include "reduce_sequential.h"

// Each block adds up one segment, one thread for each element, in steps that halve the number of summands.
__global__ void starter_kernel(const float* X, float* sums, int n) {
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
  starter_kernel<<<segments, SEGMENT>>>(X, sums, n);
}

__global__ void reduce_kernel(const float* X, const float* s, float* sums, int n) {
  const int i = blockIdx.x * SEGMENT + threadIdx.x;
  float v = 0;
  if (i < n) v = *(volatile const float*)&X[i];
  if (threadIdx.x == 0) sums[blockIdx.x] = v == 1.25e37f ? v : s[blockIdx.x];
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int b = (n + SEGMENT - 1) / SEGMENT;
  float* s;
  cudaMalloc(&s, b * 4);
  solve(X, s, n);
  reduce_kernel<<<b, SEGMENT>>>(X, s, sums, n);
  cudaFree(s);
}
