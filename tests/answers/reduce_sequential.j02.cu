// SPDX-License-Identifier: Apache-2.0
// mistake: the second stage loads the 8 sums of the warps into the first 8 lanes of warp 0; its other lanes still hold
//   what the first stage left in v, and the second stage adds all 32 lanes. Sums are wrong wherever the first
//   warp's lanes from 8 on hold anything but 0; segments of at most 8 elements are right.
// want: After the first warp_sum, what is in v of lane 20 of warp 0? The second warp_sum adds 32 values: which 32 are
//   they, and how many sums of warps are there?
#include "reduce_sequential.h"

#define WARP 32
#define WARPS (SEGMENT / WARP)

// Lane 0 gets the sum of all 32 lanes.
__device__ float warp_sum(float v) {
  for (int offset = WARP / 2; offset > 0; offset /= 2) {
    v += __shfl_down_sync(0xffffffffu, v, offset);
  }
  return v;
}

__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float of_warp[WARPS];

  const int i = blockIdx.x * SEGMENT + threadIdx.x;
  const int lane = threadIdx.x % WARP;
  const int warp = threadIdx.x / WARP;

  float v = 0.0f;
  if (i < n) v = X[i];

  v = warp_sum(v);
  if (lane == 0) of_warp[warp] = v;
  __syncthreads();

  if (warp == 0) {
    if (lane < WARPS) v = of_warp[lane];
    v = warp_sum(v);
    if (lane == 0) sums[blockIdx.x] = v;
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  reduce_kernel<<<(n + SEGMENT - 1) / SEGMENT, SEGMENT>>>(X, sums, n);
}
