// SPDX-License-Identifier: Apache-2.0
// mistake: half as many threads, and each adds a pair on loading; where the second of the pair does not exist, the
//   first is dropped with it. Shows only in the last segment where n is no multiple of 256: with 200 elements the
//   threads 72 to 127 load 0 though X[72] to X[127] exist; with 100 the sum is 0.
// want: n is 100: what does thread 5 load, and is there an X[5]? Of a pair, one or both may be missing: which cases
//   does your condition tell apart?
#include "reduce_sequential.h"

#define HALF (SEGMENT / 2)

// One thread for two elements: the first step is done while loading.
__global__ void reduce_kernel(const float* __restrict__ X, float* __restrict__ sums, int n) {
  __shared__ float partial[HALF];

  const int tx = threadIdx.x;
  const int left = blockIdx.x * SEGMENT + tx;
  const int right = left + HALF;

  partial[tx] = right < n ? X[left] + X[right] : 0.0f;

  for (int stride = HALF >> 1; stride >= 1; stride >>= 1) {
    __syncthreads();
    if (tx < stride) {
      partial[tx] += partial[tx + stride];
    }
  }

  if (tx == 0) {
    sums[blockIdx.x] = partial[0];
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int segments = (n + SEGMENT - 1) / SEGMENT;
  reduce_kernel<<<segments, HALF>>>(X, sums, n);
}
