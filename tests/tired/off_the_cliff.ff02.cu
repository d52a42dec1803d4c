// SPDX-License-Identifier: Apache-2.0
// mistake: 1e-6 is added to the square root and not to the variance under it. Where the variance is large nobody
//   sees that; with a variance of 1e-6 a feature that is 0.001 above the mean becomes 0.999 instead of 0.707.
//   Mean and variance in one pass, by Welford's recurrence, are right.
// want: Take a sample whose features hardly differ, with a variance of 1e-6. What does the formula in the header
//   divide by, and what do you divide by?
#include "off_the_cliff.h"

#define THREADS 128

// One pass for mean and variance (Welford), a second one for the output. Nothing is kept.
__global__ void __launch_bounds__(THREADS) normalise_kernel(const float* x, float* y, int n) {
  const int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i < n) {
    float mean = 0.0f;
    float m2 = 0.0f;
    const float* in = x + i;
#pragma unroll 1
    for (int f = 1; f <= kFeatures; ++f, in += n) {
      const float value = *in;
      const float delta = value - mean;
      mean += delta / f;
      m2 += delta * (value - mean);
    }
    const float deviation = sqrtf(m2 / kFeatures);
    const float scale = 1.0f / (deviation + 1e-6f);  // never divides by zero

#pragma unroll 1
    for (int f = 0; f < kFeatures; ++f) {
      y[f * n + i] = (x[f * n + i] - mean) * scale;
    }
  }
}

void normalise(const float* x, float* y, int n) {
  const int blocks = (n + THREADS - 1) / THREADS;
  normalise_kernel<<<blocks, THREADS>>>(x, y, n);
}
