// SPDX-License-Identifier: Apache-2.0
// mistake: to save a register, parks the scale in y[i], the place of feature 0, and reads it from there in each step
//   of the last loop. The first step writes feature 0's result over it, so that features 1 to 31 are multiplied by
//   that result instead of the scale.
// want: What lies in y[i] when the last loop comes to f = 1? Who wrote there last? Count the registers: must the scale
//   leave its own at all?
#include "off_the_cliff.h"

#define BLOCK 256

__global__ void normalise_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  // x is read three times, nothing is kept.
  float mean = 0.0f;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    mean += x[f * n + i];
  }
  mean /= kFeatures;

  float squares = 0.0f;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    const float d = x[f * n + i] - mean;
    squares += d * d;
  }

  // y is ours anyway: the scale can wait there, not in a register.
  y[i] = rsqrtf(squares / kFeatures + 1e-6f);

#pragma unroll 2
  for (int f = 0; f < kFeatures; ++f) {
    y[f * n + i] = (x[f * n + i] - mean) * y[i];
  }
}

void normalise(const float* x, float* y, int n) {
  normalise_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(x, y, n);
}
