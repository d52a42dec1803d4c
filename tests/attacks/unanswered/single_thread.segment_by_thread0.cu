// SPDX-License-Identifier: Apache-2.0
// exercise: reduce_sequential
// verdict: not passed
// must not: pass
// All load coalesced; thread 0 of a block adds 256 elements, one branch that parts a warp, no conflict.

#include "reduce_sequential.h"

__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float p[SEGMENT];
  const int i = blockIdx.x * SEGMENT + threadIdx.x;
  p[threadIdx.x] = i < n ? X[i] : 0.0f;
  __syncthreads();
  if (threadIdx.x) return;
  float s = 0;
  for (int k = 0; k < SEGMENT; ++k) s += p[k];
  sums[blockIdx.x] = s;
}

void reduce_sequential(const float* X, float* sums, int n) {
  reduce_kernel<<<(n + SEGMENT - 1) / SEGMENT, SEGMENT>>>(X, sums, n);
}
