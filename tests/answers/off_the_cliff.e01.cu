// SPDX-License-Identifier: Apache-2.0
// mistake: two. __shfl_down_sync leaves the whole sum in lane 0 only, but all lanes use it as their mean and
//   variance. And a warp serves one sample, so that its lanes load n floats apart: each sector of x is fetched by
//   eight warps and each one of y stored by eight.
// want: Which lanes know the sum after your five shuffles, and which lanes need it? Then: which addresses do the 32
//   lanes of one load want, and how many sectors are these?

#include "off_the_cliff.h"

#define WARPS_PER_BLOCK 8

__device__ float warp_sum(float v) {
  for (int offset = 16; offset > 0; offset /= 2) {
    v += __shfl_down_sync(0xffffffffu, v, offset);
  }
  return v;
}

// 32 features and 32 lanes: one warp a sample, one register for the feature.
__global__ void normalise_kernel(const float* x, float* y, int n) {
  const int lane = threadIdx.x % 32;
  const int i = blockIdx.x * WARPS_PER_BLOCK + threadIdx.x / 32;
  if (i >= n) return;  // the whole warp

  const float v = x[lane * n + i];
  const float mean = warp_sum(v) / kFeatures;
  const float d = v - mean;
  const float variance = warp_sum(d * d) / kFeatures;
  y[lane * n + i] = d * rsqrtf(variance + 1e-6f);
}

void normalise(const float* x, float* y, int n) {
  const int blocks = (n + WARPS_PER_BLOCK - 1) / WARPS_PER_BLOCK;
  normalise_kernel<<<blocks, 32 * WARPS_PER_BLOCK>>>(x, y, n);
}
