// SPDX-License-Identifier: Apache-2.0
// mistake: shuffles, and the first warp adds up the eight sums of the warps. Only its lanes 0 to 7 take one; lanes 8 to 31
//   still hold what the first round left in them, and the second round over all 32 lanes adds this, too.
// want: In the second round, what does v hold in lane 8? All 32 lanes take part in the sum; what should the other 24
//   bring?
#include "reduce_sequential.h"

#define WARPS (SEGMENT / 32)

// Lane 0 has the sum of all lanes in the end.
__device__ float warp_sum(float v) {
  for (int offset = 16; offset > 0; offset /= 2) {
    v += __shfl_down_sync(0xffffffffu, v, offset);
  }
  return v;
}

__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float of_warp[WARPS];

  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int i = blockIdx.x * SEGMENT + threadIdx.x;

  float v = i < n ? X[i] : 0.0f;
  v = warp_sum(v);
  if (lane == 0) of_warp[warp] = v;
  __syncthreads();

  // the other warps rest
  if (warp == 0) {
    if (lane < WARPS) v = of_warp[lane];
    v = warp_sum(v);
    if (lane == 0) sums[blockIdx.x] = v;
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  reduce_kernel<<<(n + SEGMENT - 1) / SEGMENT, SEGMENT>>>(X, sums, n);
}
