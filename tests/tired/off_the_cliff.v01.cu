// SPDX-License-Identifier: Apache-2.0
// mistake: the squares are divided by 31, as for the variance of a random sample; the contract's variance is the average,
//   over 32. All values come out too small by sqrt(31 / 32), 1.6 %. A sample of sixteen 1 and sixteen -1: mean 0,
//   squares 32; y must be 1 and -1, the student's are 0.9843 and -0.9843. (The running mean and squares are right.)
// want: Take a sample of sixteen 1 and sixteen -1. What are mean and variance by the header, and what does your kernel
//   make of them?
#include "off_the_cliff.h"

#define BLOCK 256

// Mean and squares in one go (Welford), nothing is kept.
__global__ void __launch_bounds__(BLOCK) normalise_kernel(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i >= n) return;

  float mean = 0.0f;
  float m2 = 0.0f;
  const float* p = x + i;
#pragma unroll 4
  for (int f = 1; f <= kFeatures; ++f, p += n) {
    const float value = *p;
    const float delta = value - mean;
    mean += delta / f;
    m2 += delta * (value - mean);
  }

  const float variance = m2 / (kFeatures - 1);
  const float scale = rsqrtf(variance + 1e-6f);

  // second time: now we know both
  const float* in = x + i;
  float* out = y + i;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    *out = (*in - mean) * scale;
    in += n;
    out += n;
  }
}

void normalise(const float* x, float* y, int n) {
  normalise_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(x, y, n);
}
