// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: loops that are not unrolled index an array, which then cannot lie in registers.
#include "off_the_cliff.h"

#define BLOCK 256

// One thread a sample.
__global__ void normalise_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  float v[kFeatures];
  float sum = 0.0f;
#pragma unroll 1
  for (int f = 0; f < kFeatures; ++f) {
    v[f] = x[f * n + i];
    sum += v[f];
  }
  const float mean = sum / kFeatures;

  float squares = 0.0f;
#pragma unroll 1
  for (int f = 0; f < kFeatures; ++f) {
    const float d = v[f] - mean;
    squares += d * d;
  }
  const float scale = rsqrtf(squares / kFeatures + 1e-6f);

#pragma unroll 1
  for (int f = 0; f < kFeatures; ++f) {
    y[f * n + i] = (v[f] - mean) * scale;
  }
}

void normalise(const float* x, float* y, int n) {
  normalise_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(x, y, n);
}
