// SPDX-License-Identifier: Apache-2.0
// exercise: reduce_sequential
// verdict: not passed
// must not: pass
// Every thread of the block adds all 256 elements from shared memory by broadcast: all busy, no branch, no conflict; 256 times the work.

#include "reduce_sequential.h"

__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float p[SEGMENT];
  const int i = blockIdx.x * SEGMENT + threadIdx.x;
  p[threadIdx.x] = i < n ? X[i] : 0.0f;
  __syncthreads();
  float s = 0;
  for (int k = 0; k < SEGMENT; ++k) s += p[k];
  if (threadIdx.x == 0) sums[blockIdx.x] = s;
}

void reduce_sequential(const float* X, float* sums, int n) {
  reduce_kernel<<<(n + SEGMENT - 1) / SEGMENT, SEGMENT>>>(X, sums, n);
}
