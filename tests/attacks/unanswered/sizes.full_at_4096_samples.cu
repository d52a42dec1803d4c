// SPDX-License-Identifier: Apache-2.0
// exercise: off_the_cliff
// verdict: not passed
// must not: pass
// A multiprocessor is full at 4096 samples only; elsewhere blocks are too small.

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
  // Blocks of 32 threads fill half of a multiprocessor.
  const int threads = n == 4096 ? BLOCK : 32;
  normalise_kernel<<<(n + threads - 1) / threads, threads>>>(x, y, n);
}
