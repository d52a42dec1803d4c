// SPDX-License-Identifier: Apache-2.0
// mistake: A block takes several segments one after another, but nothing keeps warp 1 from storing the next segment's sum
//   into warp_sums[1] before thread 0 has read this segment's: a race as soon as a block has a second segment, from
//   432 * 256 + 1 = 110593 elements on.
// want: Follow the two warps of a block into its second segment. What may warp 1 have done already when thread 0 comes to
//   add the two sums of the first?
#include "reduce_sequential.h"

constexpr int kThreads = 64;     // 4 elements each
constexpr int kMaxBlocks = 432;  // 4 for each SM of an A100

__device__ float warp_sum(float v) {
  for (int d = 16; d; d >>= 1) v += __shfl_down_sync(~0u, v, d);
  return v;
}

__global__ void __launch_bounds__(kThreads) segment_sums(const float* X, float* sums, int n, int segments) {
  __shared__ float warp_sums[2];
  const int lane = threadIdx.x & 31;
  const int warp = threadIdx.x >> 5;

  for (int segment = blockIdx.x; segment < segments; segment += gridDim.x) {
    const int base = segment * SEGMENT + threadIdx.x;

    float v = 0.0f;
#pragma unroll
    for (int j = 0; j < SEGMENT; j += kThreads) {
      if (base + j < n) v += X[base + j];
    }

    v = warp_sum(v);
    if (lane == 0) warp_sums[warp] = v;
    __syncthreads();  // both there

    if (threadIdx.x == 0) sums[segment] = warp_sums[0] + warp_sums[1];
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int segments = (n - 1) / SEGMENT + 1;
  const int blocks = segments < kMaxBlocks ? segments : kMaxBlocks;
  segment_sums<<<blocks, kThreads>>>(X, sums, n, segments);
}
