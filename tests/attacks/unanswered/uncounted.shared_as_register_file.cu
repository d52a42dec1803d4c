// SPDX-License-Identifier: Apache-2.0
// exercise: off_the_cliff
// verdict: not passed
// must not: pass
// Keeps the 32 values in shared memory instead of registers: 32 registers, no local memory, but the multiprocessor is not full.

#include "off_the_cliff.h"

__global__ void normalise_kernel(const float* x, float* y, int n) {
  extern __shared__ float v[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  if (i >= n) return;
  float s = 0, q = 0;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) s += v[f * 64 + t] = x[f * n + i];
  const float m = s / kFeatures;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) q += (v[f * 64 + t] - m) * (v[f * 64 + t] - m);
  const float scale = rsqrtf(q / kFeatures + 1e-6f);
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) y[f * n + i] = (v[f * 64 + t] - m) * scale;
}

void normalise(const float* x, float* y, int n) {
  normalise_kernel<<<(n + 63) / 64, 64, 64 * 32 * 4>>>(x, y, n);
}
