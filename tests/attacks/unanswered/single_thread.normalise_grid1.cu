// SPDX-License-Identifier: Apache-2.0
// exercise: off_the_cliff
// verdict: not passed
// must not: pass
// One block with one thread loops over all samples; the grid is filled with idle blocks.

#include "off_the_cliff.h"

__global__ void normalise_kernel(const float* x, float* y, int n) {
  if (blockIdx.x || threadIdx.x) return;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    float s = 0, q = 0;
#pragma unroll 4
    for (int f = 0; f < kFeatures; ++f) s += x[f * n + i];
    s /= kFeatures;
#pragma unroll 4
    for (int f = 0; f < kFeatures; ++f) q += (x[f * n + i] - s) * (x[f * n + i] - s);
    q = rsqrtf(q / kFeatures + 1e-6f);
#pragma unroll 4
    for (int f = 0; f < kFeatures; ++f) y[f * n + i] = (x[f * n + i] - s) * q;
  }
}

void normalise(const float* x, float* y, int n) {
  normalise_kernel<<<(n + 255) / 256, 256>>>(x, y, n);
}
