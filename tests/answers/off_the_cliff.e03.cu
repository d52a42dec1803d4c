// SPDX-License-Identifier: Apache-2.0
// mistake: the sum is set to 0 for each sample of the grid-stride loop, the sum of squares only before the first:
//   from a thread's second sample on (n above 2048) the variance also holds that of the samples before.
// want: The first 2048 samples are right and the others too small. What does a thread take along from one sample
//   to the next one?

#include "off_the_cliff.h"

#define BLOCK 256
#define MAX_BLOCKS 8

// Reads x three times instead of keeping 32 values; unroll 1, or else the compiler keeps them all the same.
__global__ void normalise_kernel(const float* x, float* y, int n) {
  float sum, squares = 0.0f;

  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) {
    sum = 0.0f;
#pragma unroll 1
    for (int f = 0; f < kFeatures; ++f) {
      sum += x[f * n + i];
    }
    const float mean = sum * (1.0f / kFeatures);

#pragma unroll 1
    for (int f = 0; f < kFeatures; ++f) {
      const float d = x[f * n + i] - mean;
      squares += d * d;
    }
    const float scale = rsqrtf(squares * (1.0f / kFeatures) + 1e-6f);

#pragma unroll 1
    for (int f = 0; f < kFeatures; ++f) {
      y[f * n + i] = (x[f * n + i] - mean) * scale;
    }
  }
}

void normalise(const float* x, float* y, int n) {
  int blocks = (n + BLOCK - 1) / BLOCK;
  if (blocks > MAX_BLOCKS) blocks = MAX_BLOCKS;
  normalise_kernel<<<blocks, BLOCK>>>(x, y, n);
}
