// SPDX-License-Identifier: Apache-2.0
// mistake: The 1e-6 is added to the square root, not to the variance under it: 1 / (sqrt(v) + 1e-6) instead of 1 / sqrt(v + 1e-6).
//   Hardly seen where v is about 1; with v = 1e-6 it divides by 0.001001 instead of 0.001414, so y is 41 % too large.
//   (That y holds the differences in between is allowed: each element is stored twice, and loads are three.)
// want: Feed it a sample whose features hardly differ, of variance 1e-6. By what does the formula in the header divide, and by
//   what do you?
#include "off_the_cliff.h"

__global__ void __launch_bounds__(512) normalise_kernel(const float* x, float* y, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) {
    return;
  }

  float mean = 0;
#pragma unroll 2
  for (int at = i; at < kFeatures * n; at += n) {
    mean += x[at];
  }
  mean /= kFeatures;

  // y is ours anyway: leave the centred values there instead of in 32 registers
  float v = 0;
#pragma unroll 2
  for (int at = i; at < kFeatures * n; at += n) {
    const float centred = x[at] - mean;
    y[at] = centred;
    v += centred * centred;
  }
  v /= kFeatures;

  // the small number is there so that nobody divides by 0
  const float deviation = sqrtf(v) + 1e-6f;
  const float scale = 1.0f / deviation;

#pragma unroll 2
  for (int at = i; at < kFeatures * n; at += n) {
    y[at] *= scale;
  }
}

void normalise(const float* x, float* y, int n) {
  const dim3 block(512);
  const dim3 grid((n + block.x - 1) / block.x);
  normalise_kernel<<<grid, block>>>(x, y, n);
}
