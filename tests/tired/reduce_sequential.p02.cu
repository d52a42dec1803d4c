// SPDX-License-Identifier: Apache-2.0
// mistake: after loading, each of the 64 threads adds four neighbours of shared memory, element 4 * t + k: lanes 0, 8, 16
//   and 24 want words 0, 32, 64 and 96 (+ k), all of one bank: a 4-way conflict in each of the four loads. The sums are
//   right, also the tree of one warp with __syncwarp.
// want: In the first of a thread's four additions, which banks do lanes 0 and 8 ask for?
#include "reduce_sequential.h"

constexpr int kThreads = 64;                 // for a segment
constexpr int kEach = SEGMENT / kThreads;    // elements of a thread

__global__ void reduce4(const float* __restrict__ X, float* __restrict__ sums, int n) {
  __shared__ float in[SEGMENT];
  __shared__ float part[kThreads];

  const int t = threadIdx.x;
  const int base = blockIdx.x * SEGMENT;

  // fetch the whole segment, neighbours fetch neighbours
  for (int j = t; j < SEGMENT; j += kThreads) {
    in[j] = base + j < n ? X[base + j] : 0.0f;
  }
  __syncthreads();

  float mine = 0.0f;
  for (int k = 0; k < kEach; ++k) {
    mine += in[t * kEach + k];
  }
  part[t] = mine;
  __syncthreads();

  if (t >= 32) return;  // the rest is for one warp
  for (int stride = kThreads / 2; stride > 0; stride /= 2) {
    if (t < stride) part[t] += part[t + stride];
    __syncwarp();
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int segments = 1 + (n - 1) / SEGMENT;
  reduce4<<<segments, kThreads>>>(X, sums, n);
}
