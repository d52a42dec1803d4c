// SPDX-License-Identifier: Apache-2.0
// mistake: 1e-6 is added to the standard deviation, not to the variance under the root. Features of +0.001 and -0.001 by
//   turns: variance 1e-6, right is +-0.001 / sqrt(2e-6) = +-0.707; the answer has +-0.001 / 0.001001 = +-0.999. Samples
//   with a variance near 1 are almost right. (Mean and variance in one pass, after Welford, are right.)
// want: Take a sample whose features are 0.001 and -0.001 by turns. Compute its y by the header's formula and by your last
//   lines. Where do they part?
#include "off_the_cliff.h"

#define BLOCK 256
#define EPSILON 1e-6f

// One thread a sample. Nothing is kept: mean and variance come out of a single walk (Welford), and the
// features are fetched a second time for the result.
__global__ void normalise_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= n) return;

  float mean = 0.0f;
  float m2 = 0.0f;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    const float v = x[f * n + i];
    const float delta = v - mean;
    mean += delta * __frcp_rn(float(f + 1));
    m2 += delta * (v - mean);
  }

  const float deviation = sqrtf(m2 / kFeatures) + EPSILON;
  const float scale = 1.0f / deviation;

#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    y[f * n + i] = (x[f * n + i] - mean) * scale;
  }
}

void normalise(const float* x, float* y, int n) {
  const int blocks = (n + BLOCK - 1) / BLOCK;
  normalise_kernel<<<blocks, BLOCK>>>(x, y, n);
}
