// SPDX-License-Identifier: Apache-2.0
// exercise: off_the_cliff
// verdict: not passed
// must not: pass
// The reverse: the starter stores, then a light kernel reads y and stores it in place: who asks the last writer is deceived.

#include "off_the_cliff.h"

#define BLOCK 256

// One thread a sample.
__global__ void fat_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  // TODO: count the values that are alive between the first loop and the last. Which of them could be had
  // again, when they are needed, instead of being kept?
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

static void solve(const float* x, float* y, int n) {
  fat_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(x, y, n);
}

__global__ void normalise_kernel(float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) { volatile float* p = &y[f * n + i]; *p = *p; }
}

void normalise(const float* x, float* y, int n) {
  solve(x, y, n);
  normalise_kernel<<<(n + 255) / 256, 256>>>(y, n);
}
