// SPDX-License-Identifier: Apache-2.0
// mistake: each thread adds two elements while loading, SEGMENT apart, with half as many blocks of SEGMENT threads:
//   block b puts the sum of segments 2b and 2b + 1 into sums[b], and the upper half of sums is never stored.
// want: n = 512: how many floats must sums have in the end, and how many blocks do you launch? Which segments'
//   elements come together in block 0?
#include "reduce_sequential.h"

// Half of the threads would be idle in the first step, so do that one while loading.
__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float partial[SEGMENT];

  const int tx = threadIdx.x;
  const int i = blockIdx.x * (SEGMENT * 2) + tx;

  float mine = 0.0f;
  if (i < n) mine = X[i];
  if (i + SEGMENT < n) mine += X[i + SEGMENT];
  partial[tx] = mine;
  __syncthreads();

  for (int stride = SEGMENT / 2; stride > 0; stride >>= 1) {
    if (tx < stride) partial[tx] += partial[tx + stride];
    __syncthreads();
  }

  if (tx == 0) {
    sums[blockIdx.x] = partial[0];
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int blocks = (n + SEGMENT * 2 - 1) / (SEGMENT * 2);
  reduce_kernel<<<blocks, SEGMENT>>>(X, sums, n);
}
