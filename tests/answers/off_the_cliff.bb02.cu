// SPDX-License-Identifier: Apache-2.0
// mistake: 1e-6 is added to the root, where the contract adds it to the variance under the root. A sample whose
//   features are alternately 0.001 and -0.001: variance 1e-6, y must be +-0.001 / sqrt(2e-6) = +-0.707; the code gives
//   0.001 / (0.001 + 0.000001) = 0.999. Keeping the differences in y and reading them again is right and allowed.
// want: Take a sample with very small differences and work out its y on paper, from the formula in the header. At which
//   step does your number part from it?
#include "off_the_cliff.h"

#define THREADS 1024

__global__ void __launch_bounds__(THREADS, 2) normalise_kernel(const float* x, float* y, int n) {
  const int sample = blockIdx.x * THREADS + threadIdx.x;
  if (sample >= n) return;

  // Pointers that walk down the sample's column.
  const float* in = x + sample;
  float mean = 0.0f;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f, in += n) {
    mean += *in;
  }
  mean *= 1.0f / kFeatures;

  // y keeps the differences, so that no registers have to.
  in = x + sample;
  float* out = y + sample;
  float variance = 0.0f;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f, in += n, out += n) {
    const float d = *in - mean;
    *out = d;
    variance = fmaf(d, d, variance);
  }
  variance *= 1.0f / kFeatures;

  const float deviation = sqrtf(variance) + 1e-6f;
  out = y + sample;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f, out += n) {
    *out /= deviation;
  }
}

void normalise(const float* x, float* y, int n) {
  normalise_kernel<<<(n + THREADS - 1) / THREADS, THREADS>>>(x, y, n);
}
