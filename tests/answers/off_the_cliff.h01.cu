// SPDX-License-Identifier: Apache-2.0
// mistake: to save a pass the variance is taken as average of squares minus square of the average, in float; where a
//   sample's mean is large against its spread the difference cancels to noise, or goes below zero (NaN).
// want: Your registers are fine now. Try a sample whose features all lie near 10000 and differ by 1: how many digits
//   do the two numbers that you subtract have in common, and how many does a float have?

#include "off_the_cliff.h"

constexpr int kBlock = 256;

__global__ void normalise_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;

  // first pass: both sums at once, nothing is kept
  float sum = 0.0f;
  float sum_of_squares = 0.0f;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    const float v = x[f * n + i];
    sum += v;
    sum_of_squares += v * v;
  }
  const float mean = sum / kFeatures;
  const float variance = sum_of_squares / kFeatures - mean * mean;
  const float scale = rsqrtf(variance + 1e-6f);

  // second pass: load again
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    y[f * n + i] = (x[f * n + i] - mean) * scale;
  }
}

void normalise(const float* x, float* y, int n) {
  normalise_kernel<<<(n + kBlock - 1) / kBlock, kBlock>>>(x, y, n);
}
