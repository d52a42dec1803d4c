// SPDX-License-Identifier: Apache-2.0
// mistake: if (i > n) return; so thread n works, too, and stores to the first sample of the next feature.
// want: With n = 1, the thread with i = 1 passes your check. Compare with >=.
#include "off_the_cliff.h"

#define BLOCK 256

// One thread per sample.
__global__ void normalise_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > n) return;

  // TODO: count the values that must be kept between the first loop and the last. Which of them could be
  // computed or loaded again when they are needed?
  float sum = 0.0f;
  for (int f = 0; f < kFeatures; ++f) {
    sum += x[f * n + i];
  }
  const float mean = sum / kFeatures;

  float squares = 0.0f;
  for (int f = 0; f < kFeatures; ++f) {
    const float d = x[f * n + i] - mean;
    squares += d * d;
  }
  const float scale = rsqrtf(squares / kFeatures + 1e-6f);

  for (int f = 0; f < kFeatures; ++f) {
    y[f * n + i] = (x[f * n + i] - mean) * scale;
  }
}

void normalise(const float* x, float* y, int n) {
  normalise_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(x, y, n);
}
