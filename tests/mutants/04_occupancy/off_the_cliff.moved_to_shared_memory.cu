// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: the values are kept in shared memory, 128 bytes a thread.
#include "off_the_cliff.h"

#define BLOCK 128

// One thread a sample.
__global__ void normalise_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  __shared__ float v[kFeatures][BLOCK];
  const int t = threadIdx.x;
  float sum = 0.0f;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    v[f][t] = x[f * n + i];
    sum += v[f][t];
  }
  const float mean = sum / kFeatures;

  float squares = 0.0f;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    const float d = v[f][t] - mean;
    squares += d * d;
  }
  const float scale = rsqrtf(squares / kFeatures + 1e-6f);

#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    y[f * n + i] = (v[f][t] - mean) * scale;
  }
}

void normalise(const float* x, float* y, int n) {
  normalise_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(x, y, n);
}
