// SPDX-License-Identifier: Apache-2.0
// mistake: the variance is the mean of squares less the square of the mean, from sums of one pass: where the mean
//   is large against the spread the difference cancels in float, and the variance is noise or negative.
// want: a sample of values near 10000 that differ by 1: how many digits does a float have for x * x, and how many
//   are left after the subtraction? Add up (x - mean)^2 in a pass of its own.
#include "off_the_cliff.h"

#define BLOCK 256

// One thread a sample. Two passes over x, and no value is kept.
__global__ void __launch_bounds__(BLOCK) normalise_kernel(const float* __restrict__ x, float* __restrict__ y, int n) {
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) {
    float sum = 0.0f;
    float squares = 0.0f;
#pragma unroll 4
    for (int f = 0; f < kFeatures; ++f) {
      const float v = x[f * n + i];
      sum += v;
      squares = fmaf(v, v, squares);
    }
    const float mean = sum * (1.0f / kFeatures);
    const float variance = fmaxf(squares * (1.0f / kFeatures) - mean * mean, 0.0f);
    const float scale = rsqrtf(variance + 1e-6f);

#pragma unroll 4
    for (int f = 0; f < kFeatures; ++f) {
      y[f * n + i] = (x[f * n + i] - mean) * scale;
    }
  }
}

void normalise(const float* x, float* y, int n) {
  normalise_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(x, y, n);
}
