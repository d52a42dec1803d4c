// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: the second element of a thread, X[i + 128], has no check of its own: for n = 100 the threads 0
//   to 99 read X[128] to X[227], which do not exist. And there are n / 256 + 1 blocks: for n = 256 block 1 stores
//   sums[1], which does not exist.
// want: First: n is 100: which two elements does thread 0 add? Then: how many sums are there for n = 256, and how many
//   blocks do you launch?
#include "reduce_sequential.h"

constexpr int kThreads = SEGMENT / 2;

// The first step is done on the way in: half as many threads are enough.
__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float partial[kThreads];

  const int tx = threadIdx.x;
  const int i = blockIdx.x * SEGMENT + tx;
  float two = 0.0f;
  if (i < n) {
    two = X[i] + X[i + kThreads];
  }
  partial[tx] = two;

  int active = kThreads;
  do {
    active /= 2;
    __syncthreads();
    if (tx < active) {
      partial[tx] = partial[tx] + partial[active + tx];
    }
  } while (active > 2);
  __syncthreads();

  // Two are left.
  if (tx == 0) sums[blockIdx.x] = partial[0] + partial[1];
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int segments = n / SEGMENT + 1;
  reduce_kernel<<<segments, kThreads>>>(X, sums, n);
}
