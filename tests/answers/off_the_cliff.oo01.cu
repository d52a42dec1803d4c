// SPDX-License-Identifier: Apache-2.0
// mistake: all three loops over the features run to f <= kFeatures, one too far, past the end of v as well.
// want: The loop over f goes too far: with kFeatures features, the last one is kFeatures - 1.
#include "off_the_cliff.h"

#define BLOCK 256

// One thread per sample.
__global__ void normalise_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  // TODO: count the values that must be kept between the first loop and the last. Which of them could be
  // computed or loaded again when they are needed?
  float v[kFeatures];
  float sum = 0.0f;
  for (int f = 0; f <= kFeatures; ++f) {
    v[f] = x[f * n + i];
    sum += v[f];
  }
  const float mean = sum / kFeatures;

  float squares = 0.0f;
  for (int f = 0; f <= kFeatures; ++f) {
    const float d = v[f] - mean;
    squares += d * d;
  }
  const float scale = rsqrtf(squares / kFeatures + 1e-6f);

  for (int f = 0; f <= kFeatures; ++f) {
    y[f * n + i] = (v[f] - mean) * scale;
  }
}

void normalise(const float* x, float* y, int n) {
  normalise_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(x, y, n);
}
