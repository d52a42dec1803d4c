// SPDX-License-Identifier: Apache-2.0
// mistake: a block serves four segments and stores four sums, also where there are fewer: writes beyond the end of sums
//   unless the number of segments is a multiple of 4. n = 1: sums has one float, sums[0] to sums[3] are stored.
// want: n = 1: how many floats has sums, and how many does your kernel store?
#include "reduce_sequential.h"

constexpr int kPerBlock = 4;           // segments
constexpr int kThreads = SEGMENT / 4;  // for each

__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float partial[kPerBlock][kThreads];

  const int tx = threadIdx.x;
  const int segment = blockIdx.x * kPerBlock + threadIdx.y;
  float* mine = partial[threadIdx.y];

  float sum = 0.0f;
  const int begin = segment * SEGMENT;
#pragma unroll
  for (int i = begin + tx; i < begin + SEGMENT; i += kThreads) {
    if (i < n) sum += X[i];
  }
  mine[tx] = sum;

  for (int half = kThreads / 2; half > 1; half /= 2) {
    __syncthreads();
    if (tx < half) mine[tx] += mine[tx + half];
  }
  __syncthreads();

  // the last two are left
  if (tx == 0) sums[segment] = mine[0] + mine[1];
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int segments = 1 + (n - 1) / SEGMENT;
  const dim3 block(kThreads, kPerBlock);
  reduce_kernel<<<(segments + kPerBlock - 1) / kPerBlock, block>>>(X, sums, n);
}
