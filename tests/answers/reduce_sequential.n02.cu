// SPDX-License-Identifier: Apache-2.0
// mistake: 128 threads, each loads two elements, but only the first is tested against n: in a last segment that is not
//   whole X[i + 128] is read past the end and added.
// want: n is 300: which two elements does thread 0 of block 1 load, and which of them exist? Each load needs its own test.
#include "reduce_sequential.h"

#define HALF (SEGMENT / 2)

// Half as many threads as elements: nobody is idle in the first step.
__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float acc[HALF];

  const int t = threadIdx.x;
  const int i = blockIdx.x * SEGMENT + t;

  if (i < n) {
    acc[t] = X[i] + X[i + HALF];
  } else {
    acc[t] = 0.0f;
  }
  __syncthreads();

  for (int active = HALF / 2; active >= 1; active >>= 1) {
    if (t < active) acc[t] += acc[t + active];
    __syncthreads();
  }

  if (t == 0) {
    sums[blockIdx.x] = acc[0];
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int blocks = (n + SEGMENT - 1) / SEGMENT;
  reduce_kernel<<<blocks, HALF>>>(X, sums, n);
}
