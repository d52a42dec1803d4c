// SPDX-License-Identifier: Apache-2.0
//
// Chapter 4, occupancy: the solution of `off_the_cliff`. The kernel kept 32 values of x from the first loop
// to the last. It fetches them again instead, so that only the sum (later the mean, the scale) and the few
// values in flight are alive. The price is three reads of x for one, much of it from the caches; whether full
// occupancy is worth that is for a measurement to say. What is gained here is that the choice is the
// programmer's.

#include "off_the_cliff.h"

#define BLOCK 256

// One thread a sample.
__global__ void normalise_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  // Unrolled by 4 and no more: with the loop unrolled fully the compiler fetches all 32 values ahead, to hide
  // their latency, and needs a register for each.
  float sum = 0.0f;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    sum += x[f * n + i];
  }
  const float mean = sum / kFeatures;

  // A second pass over x, and not the sum of squares in the first: their difference cancels where the mean is
  // large.
  float squares = 0.0f;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    const float d = x[f * n + i] - mean;
    squares += d * d;
  }
  const float scale = rsqrtf(squares / kFeatures + 1e-6f);

#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    y[f * n + i] = (x[f * n + i] - mean) * scale;
  }
}

void normalise(const float* x, float* y, int n) {
  normalise_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(x, y, n);
}
