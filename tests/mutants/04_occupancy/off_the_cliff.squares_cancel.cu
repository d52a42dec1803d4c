// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the variance is computed as the difference of two large numbers.
#include "off_the_cliff.h"

#define BLOCK 256

// One thread a sample.
__global__ void normalise_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  float sum = 0.0f;
  float squares = 0.0f;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    const float value = x[f * n + i];
    sum += value;
    squares += value * value;
  }
  const float mean = sum / kFeatures;

  const float scale = rsqrtf(squares / kFeatures - mean * mean + 1e-6f);

#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    y[f * n + i] = (x[f * n + i] - mean) * scale;
  }
}

void normalise(const float* x, float* y, int n) {
  normalise_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(x, y, n);
}
