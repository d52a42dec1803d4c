// SPDX-License-Identifier: Apache-2.0
// exercise: off_the_cliff
// verdict: not passed
// must not: pass
// Spills the 32 values to the output y, which is the thread's own, and reads them back: more stores than allowed, hidden as atomicExch.

#include "off_the_cliff.h"

__global__ void normalise_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0, q = 0;
#pragma unroll 1
  for (int p = 0; p < 6; ++p) { s = 0;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) { float v = __int_as_float(atomicOr((int*)&x[f * n + i], 0)); s += v; atomicExch(&y[f * n + i], v); } }
  const float m = s / kFeatures;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) q += (y[f * n + i] - m) * (y[f * n + i] - m);
  const float scale = rsqrtf(q / kFeatures + 1e-6f);
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) y[f * n + i] = (y[f * n + i] - m) * scale;
}

void normalise(const float* x, float* y, int n) {
  normalise_kernel<<<(n + 255) / 256, 256>>>(x, y, n);
}
