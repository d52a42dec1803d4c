// SPDX-License-Identifier: Apache-2.0
// mistake: blocks go through several segments, and nothing keeps a fast warp from writing its warp_sums of the next
//   segment while warp 0 still reads those of this one: a race, once there are more than 128 segments (n above
//   32768). Warp 3 has only to be at its store of segment b + 128 before warp 0 has loaded warp_sums[3] of b.
// want: With more than 128 segments a block comes back to the top of the loop. Who may still be reading warp_sums when
//   the first warp gets there?
#include "reduce_sequential.h"

#define FULL 0xffffffffu

__device__ float warp_total(float v, int from) {
  for (int d = from; d; d >>= 1) v += __shfl_down_sync(FULL, v, d);
  return v;
}

__global__ void reduce_kernel(const float* X, float* sums, int n, int segments) {
  __shared__ float warp_sums[SEGMENT / 32];

  const int lane = threadIdx.x & 31;
  const int warp = threadIdx.x >> 5;

  for (int b = blockIdx.x; b < segments; b += gridDim.x) {
    const int i = b * SEGMENT + threadIdx.x;
    float v = warp_total(i < n ? X[i] : 0.0f, 16);
    if (lane == 0) warp_sums[warp] = v;
    __syncthreads();

    if (warp == 0) {
      // lanes 8.. repeat the first eight, nobody looks at them
      v = warp_total(warp_sums[lane & 7], 4);
      if (lane == 0) sums[b] = v;
    }
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int segments = (n + SEGMENT - 1) / SEGMENT;
  const int blocks = segments < 128 ? segments : 128;
  reduce_kernel<<<blocks, SEGMENT>>>(X, sums, n, segments);
}
