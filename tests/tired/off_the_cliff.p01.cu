// SPDX-License-Identifier: Apache-2.0
// mistake: the running variance adds (x - old mean) * (x - old mean) where Welford's has (x - old mean) * (x - new mean),
//   so squares is too large. Features 1 and then 31 zeros: mean 1/32, the squares add up to 31/32 = 0.969; here the
//   first feature adds 1 (its old mean is 0, its new one 1) and the second adds 1 more, then 1/4, 1/9, ...: over 2.6.
//   The mean is right, and so are registers and loads.
// want: Do two features by hand, 0 and 2: what are the squares of their deviations from the mean in all, and what does
//   your loop have after the second?
#include "off_the_cliff.h"

// The features come twice from memory, but nothing is kept: mean and squares are brought up to date with each
// feature on its way through.
__global__ void normalise_online(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  float mean = 0.0f;
  float squares = 0.0f;
  const float* p = x + i;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f, p += n) {
    const float d = *p - mean;
    mean += d / (f + 1);
    squares += d * d;
  }

  const float scale = 1.0f / sqrtf(squares / kFeatures + 1e-6f);

  p = x + i;
  float* q = y + i;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f, p += n, q += n) {
    *q = (*p - mean) * scale;
  }
}

void normalise(const float* x, float* y, int n) {
  normalise_online<<<(n + 255) / 256, 256>>>(x, y, n);
}
