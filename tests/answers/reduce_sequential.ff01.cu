// SPDX-License-Identifier: Apache-2.0
// mistake: whether 32 elements are loaded is decided by the first of them, for the whole warp. Where n is no
//   multiple of 32 the last load reads up to 31 elements behind X and adds them: with n = 5, lanes 5 to 31 read
//   X[5] to X[31]. One warp for each segment, with no shared memory at all, is right.
// want: n is 5. Which lanes load something in your first step, and from where?
#include "reduce_sequential.h"

#define WARPS 4  // segments that a block serves, each by a warp of its own

__device__ float warp_sum(float v) {
  for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_down_sync(0xffffffffu, v, offset);
  return v;
}

__global__ void reduce_kernel(const float* X, float* sums, int n, int segments) {
  const int lane = threadIdx.x % 32;
  const int segment = blockIdx.x * WARPS + threadIdx.x / 32;
  if (segment >= segments) return;  // a whole warp, nobody waits for it

  float sum = 0.0f;
#pragma unroll
  for (int step = 0; step < SEGMENT / 32; ++step) {
    const int start = segment * SEGMENT + step * 32;
    if (start < n) {  // the same for all lanes: no divergence
      sum += X[start + lane];
    }
  }
  sum = warp_sum(sum);
  if (lane == 0) sums[segment] = sum;
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int segments = (n + SEGMENT - 1) / SEGMENT;
  reduce_kernel<<<(segments + WARPS - 1) / WARPS, WARPS * 32>>>(X, sums, n, segments);
}
