// SPDX-License-Identifier: Apache-2.0
// exercise: off_the_cliff
// verdict: not passed
// must not: pass
// E[x^2] - mean^2 in one pass, which cancels where the mean is large.

#include "off_the_cliff.h"

__global__ void normalise_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0, q = 0;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) { const float v = x[f * n + i]; s += v; q += v * v; }
  const float m = s / kFeatures, r = rsqrtf(fmaxf(q / kFeatures - m * m, 0.0f) + 1e-6f);
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) y[f * n + i] = (x[f * n + i] - m) * r;
}

void normalise(const float* x, float* y, int n) {
  normalise_kernel<<<(n + 255) / 256, 256>>>(x, y, n);
}
