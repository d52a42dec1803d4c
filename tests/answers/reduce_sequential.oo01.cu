// SPDX-License-Identifier: Apache-2.0
// mistake: tx <= stride lets thread `stride` add, too.
// want: Which thread reads element 256? Compare with <.
#include "reduce_sequential.h"

// Each block adds up one segment, one thread per element. Each step halves the number of partial sums.
__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float partial[SEGMENT];

  const int tx = threadIdx.x;
  const int i = blockIdx.x * SEGMENT + tx;
  partial[tx] = i < n ? X[i] : 0.0f;  // 0 does not change a sum
  __syncthreads();

  // TODO 1: in which order must stride take its values so that the working threads are neighbours?
  for (int stride = SEGMENT / 2; stride > 0; stride /= 2) {
    // TODO 2: which threads work in this step, and which two elements does each of them add?
    if (tx <= stride) {
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
