// SPDX-License-Identifier: Apache-2.0
// mistake: each lane adds eight neighbouring elements with eight scalar loads, so that in every load the lanes are 32
//   bytes apart and touch 32 sectors: 256 sectors a segment, where 1.5 * 256 / 8 + 2 = 50 are allowed (n = 256). The
//   values are right, and one warp for each segment without shared memory is allowed.
// want: In the loop's first step, which 32 elements do the lanes of a warp load, and in how many sectors do they lie?
#include "reduce_sequential.h"

#define WARPS 8
#define PER_LANE (SEGMENT / 32)

// One warp for each segment: no barrier and no shared memory.
__global__ void reduce_kernel(const float* X, float* sums, int n, int segments) {
  const int lane = threadIdx.x;
  const int segment = blockIdx.x * WARPS + threadIdx.y;
  if (segment >= segments) return;  // the whole warp

  const int begin = segment * SEGMENT + lane * PER_LANE;
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < PER_LANE; ++k) {
    sum += begin + k < n ? X[begin + k] : 0.0f;
  }

#pragma unroll
  for (int offset = 16; offset >= 1; offset /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  }
  if (lane == 0) sums[segment] = sum;
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int segments = (n + SEGMENT - 1) / SEGMENT;
  reduce_kernel<<<(segments + WARPS - 1) / WARPS, dim3(32, WARPS)>>>(X, sums, n, segments);
}
