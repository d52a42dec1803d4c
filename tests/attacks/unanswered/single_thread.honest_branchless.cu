// SPDX-License-Identifier: Apache-2.0
// exercise: reduce_sequential
// verdict: passed
// must not: be refused
// Honest control: every thread adds in every step, what does not exist counts 0: selects instead of branches.

#include "reduce_sequential.h"

__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float p[2 * SEGMENT];
  const int tx = threadIdx.x, i = blockIdx.x * SEGMENT + tx;
  p[tx] = i < n ? X[i] : 0.0f;
  p[tx + SEGMENT] = 0.0f;
  __syncthreads();
  for (int d = SEGMENT / 2; d > 0; d /= 2) {
    const float v = p[tx] + p[tx + d];
    __syncthreads();
    p[tx] = v;
    __syncthreads();
  }
  if (tx == 0) sums[blockIdx.x] = p[0];
}

void reduce_sequential(const float* X, float* sums, int n) {
  reduce_kernel<<<(n + SEGMENT - 1) / SEGMENT, SEGMENT>>>(X, sums, n);
}
