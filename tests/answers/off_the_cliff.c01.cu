// SPDX-License-Identifier: Apache-2.0
// mistake: one warp for each sample, one lane for each feature, and the sum is made with __shfl_down_sync: only lane 0
//   holds the whole sum, but every lane uses its own as the sample's mean and variance. Features 1 to 31 are
//   normalised with wrong numbers, and feature 0's variance is made of wrong deviations.
// want: After the five shuffles, which lanes hold the sum of all 32 features? Print it in lane 7. How does the sum get
//   to the other lanes?
#include "off_the_cliff.h"

#define WARPS 8

__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset >>= 1) {
    value += __shfl_down_sync(0xffffffffu, value, offset);
  }
  return value;
}

// 32 features, 32 lanes: a register for each thread instead of 32
__global__ void normalise_kernel(const float* x, float* y, int n) {
  const int lane = threadIdx.x;
  const int i = blockIdx.x * WARPS + threadIdx.y;
  if (i >= n) return;  // a whole warp leaves

  const float v = x[lane * n + i];
  const float mean = warp_sum(v) / kFeatures;
  const float d = v - mean;
  const float variance = warp_sum(d * d) / kFeatures;

  y[lane * n + i] = d * rsqrtf(variance + 1e-6f);
}

void normalise(const float* x, float* y, int n) {
  const dim3 block(kFeatures, WARPS);
  normalise_kernel<<<(n + WARPS - 1) / WARPS, block>>>(x, y, n);
}
