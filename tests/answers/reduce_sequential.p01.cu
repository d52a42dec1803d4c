// SPDX-License-Identifier: Apache-2.0
// mistake: threads without an element leave at once. Their lanes are then missing in the shuffles of their warp (what
//   comes from them is undefined), and warps without any element never write their place of partial, which is read all
//   the same. n = 1: partial[1] to partial[7] hold what was there before. Right where n is a multiple of 256.
// want: n = 1: who writes partial[5], and who reads it?
#include "reduce_sequential.h"

#define WARPS (SEGMENT / 32)

// Sum over a warp, in lane 0.
__device__ float warp_sum(float v) {
  for (int distance = 16; distance > 0; distance >>= 1) {
    v += __shfl_down_sync(0xffffffff, v, distance);
  }
  return v;
}

__global__ void segment_sums(const float* X, float* sums, int n) {
  __shared__ float partial[WARPS];

  const int i = blockIdx.x * SEGMENT + threadIdx.x;
  if (i >= n) return;

  const int lane = threadIdx.x & 31;
  const int warp = threadIdx.x >> 5;

  const float v = warp_sum(X[i]);
  if (lane == 0) partial[warp] = v;
  __syncthreads();

  // eight numbers are left, one thread is quick enough with them
  if (threadIdx.x == 0) {
    float total = partial[0];
#pragma unroll
    for (int w = 1; w < WARPS; ++w) total += partial[w];
    sums[blockIdx.x] = total;
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  segment_sums<<<(n + SEGMENT - 1) / SEGMENT, SEGMENT>>>(X, sums, n);
}
