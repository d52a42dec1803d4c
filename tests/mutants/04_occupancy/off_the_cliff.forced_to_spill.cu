// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the compiler is told to use 32 registers, and spills what does not fit.
#include "off_the_cliff.h"

#define BLOCK 256

// One thread a sample.
__global__ void __launch_bounds__(1024, 2) normalise_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  float v[kFeatures];
  float sum = 0.0f;
  for (int f = 0; f < kFeatures; ++f) {
    v[f] = x[f * n + i];
    sum += v[f];
  }
  const float mean = sum / kFeatures;

  float squares = 0.0f;
  for (int f = 0; f < kFeatures; ++f) {
    const float d = v[f] - mean;
    squares += d * d;
  }
  const float scale = rsqrtf(squares / kFeatures + 1e-6f);

  for (int f = 0; f < kFeatures; ++f) {
    y[f * n + i] = (v[f] - mean) * scale;
  }
}

void normalise(const float* x, float* y, int n) {
  normalise_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(x, y, n);
}
