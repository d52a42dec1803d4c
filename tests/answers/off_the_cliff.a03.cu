// SPDX-License-Identifier: Apache-2.0
// mistake: reads x again in each loop, but leaves the loops to be unrolled completely: the compiler merges the equal
//   loads or lets all 32 be on their way at once, and needs far more than 32 registers.
// want: Look at the register count in the report: it has not fallen. What does the compiler do with a loop of 32
//   independent loads whose length it knows? #pragma unroll with a small number keeps few of them alive.
#include "off_the_cliff.h"

#define BLOCK 256

// One thread a sample. Three passes over x, no array any more.
__global__ void normalise_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  float mean = 0.0f;
  for (int f = 0; f < kFeatures; ++f) {
    mean += x[f * n + i];
  }
  mean /= kFeatures;

  float variance = 0.0f;
  for (int f = 0; f < kFeatures; ++f) {
    const float d = x[f * n + i] - mean;
    variance += d * d;
  }
  variance /= kFeatures;
  const float scale = rsqrtf(variance + 1e-6f);

  for (int f = 0; f < kFeatures; ++f) {
    y[f * n + i] = (x[f * n + i] - mean) * scale;
  }
}

void normalise(const float* x, float* y, int n) {
  normalise_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(x, y, n);
}
