// SPDX-License-Identifier: Apache-2.0
// exercise: reduce_sequential
// verdict: not passed
// must not: pass
// The kernel chooses between the starter's tree and the good one by n: good only where n is 4 segments or more, starter's tree in the first block always.

#include "reduce_sequential.h"

__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float partial[SEGMENT];
  const int tx = threadIdx.x, i = blockIdx.x * SEGMENT + tx;
  partial[tx] = i < n ? X[i] : 0.0f;
  __syncthreads();
  if (blockIdx.x == 0 && n % SEGMENT) {
    for (int stride = 1; stride < SEGMENT; stride *= 2) {
      if (tx % (2 * stride) == 0) partial[tx] += partial[tx + stride];
      __syncthreads();
    }
  } else {
    for (int stride = SEGMENT / 2; stride > 0; stride /= 2) {
      if (tx < stride) partial[tx] += partial[tx + stride];
      __syncthreads();
    }
  }
  if (tx == 0) sums[blockIdx.x] = partial[0];
}

void reduce_sequential(const float* X, float* sums, int n) {
  reduce_kernel<<<(n + SEGMENT - 1) / SEGMENT, SEGMENT>>>(X, sums, n);
}
