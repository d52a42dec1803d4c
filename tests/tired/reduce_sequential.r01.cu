// SPDX-License-Identifier: Apache-2.0
// mistake: Two mistakes: a thread adds its four elements only if the last of them exists, so a segment that ends early
//   loses the others. n = 1: element 192 does not exist, sums[0] is 0 instead of X[0]; n = 200: elements 8 to 63, 72 to
//   127 and 136 to 191 are lost. And between the store of the two warps' sums and their reading by thread 0 there is no
//   barrier: thread 0 of warp 0 may read partial[1] before warp 1 has written it, for every n.
// want: n is 1. Which thread loads X[0], and under what condition does it?
#include "reduce_sequential.h"

#define THREADS 64
#define WARPS (THREADS / 32)

// 64 threads a segment, four elements each; the rest goes by shuffles.
__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float partial[WARPS];

  const int tx = threadIdx.x;
  const int begin = blockIdx.x * SEGMENT;
  const float* mine = X + begin + tx;

  float sum = 0.0f;
  if (begin + tx + 3 * THREADS < n) {
    sum = (mine[0] + mine[THREADS]) + (mine[2 * THREADS] + mine[3 * THREADS]);
  }

  for (int offset = 16; offset >= 1; offset >>= 1) {
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  }

  if (tx % 32 == 0) {
    partial[tx / 32] = sum;
  }
  if (tx == 0) {
    sums[blockIdx.x] = partial[0] + partial[1];
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int segments = (n + SEGMENT - 1) / SEGMENT;
  reduce_kernel<<<segments, THREADS>>>(X, sums, n);
}
