// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the same 32 values in two arrays, each alive as long as before.
#include "off_the_cliff.h"

#define BLOCK 256

// One thread a sample.
__global__ void normalise_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  float low[kFeatures / 2], high[kFeatures / 2];
  float sum = 0.0f;
  for (int f = 0; f < kFeatures / 2; ++f) {
    low[f] = x[f * n + i];
    high[f] = x[(f + kFeatures / 2) * n + i];
    sum += low[f] + high[f];
  }
  const float mean = sum / kFeatures;

  float squares = 0.0f;
  for (int f = 0; f < kFeatures / 2; ++f) {
    const float d = low[f] - mean, e = high[f] - mean;
    squares += d * d + e * e;
  }
  const float scale = rsqrtf(squares / kFeatures + 1e-6f);

  for (int f = 0; f < kFeatures / 2; ++f) {
    y[f * n + i] = (low[f] - mean) * scale;
    y[(f + kFeatures / 2) * n + i] = (high[f] - mean) * scale;
  }
}

void normalise(const float* x, float* y, int n) {
  normalise_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(x, y, n);
}
