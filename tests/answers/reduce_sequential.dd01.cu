// SPDX-License-Identifier: Apache-2.0
// mistake: Threads without an element return at the top, before shuffles of the full mask and before their warp's sum is stored. In
//   a last segment that is not full, shuffles read lanes that are gone, and warp_sum of empty warps is never written
//   though warp 0 would read it. n = 257: in block 1 only thread 0 is left; sums[1] is undefined, it should be X[256].
//   Right where n is a multiple of 256.
// want: Take n = 257 and block 1. Which threads take part in your first shuffle, and from which lanes do they read? Who writes
//   warp_sum[1]?
#include "reduce_sequential.h"

#define FULL 0xffffffffu

__inline__ __device__ float warp_reduce(float v) {
#pragma unroll
  for (int offset = 16; offset; offset >>= 1) v += __shfl_down_sync(FULL, v, offset);
  return v;
}

__global__ void segment_sums(const float* __restrict__ X, float* __restrict__ sums, int n) {
  __shared__ float warp_sum[SEGMENT / 32];

  const int i = blockIdx.x * SEGMENT + threadIdx.x;
  if (i >= n) return;  // nothing to do

  const int lane = threadIdx.x & 31;
  const int warp = threadIdx.x >> 5;

  const float v = warp_reduce(X[i]);
  if (lane == 0) warp_sum[warp] = v;
  __syncthreads();

  // eight numbers are left, one warp can do that
  if (warp == 0) {
    const float total = warp_reduce(lane < SEGMENT / 32 ? warp_sum[lane] : 0.0f);
    if (lane == 0) sums[blockIdx.x] = total;
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  segment_sums<<<(n + SEGMENT - 1) / SEGMENT, SEGMENT>>>(X, sums, n);
}
