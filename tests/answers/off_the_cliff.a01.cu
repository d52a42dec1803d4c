// SPDX-License-Identifier: Apache-2.0
// mistake: caps the registers with __launch_bounds__(256, 8) and keeps v[32]: the compiler now keeps 32 registers by
//   spilling values to local memory.
// want: The 32 values of v are still alive all the time; where do they live when they may not have registers? See
//   the spills. Which of them can be read again instead of being kept?
#include "off_the_cliff.h"

#define BLOCK 256

// 2048 threads / 256 = 8 blocks per SM, this makes the compiler use at most 32 registers
__global__ void __launch_bounds__(BLOCK, 8) normalise_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  float v[kFeatures];
  float sum = 0.0f;
  for (int f = 0; f < kFeatures; ++f) {
    v[f] = x[f * n + i];
    sum += v[f];
  }
  const float mean = sum / kFeatures;

  float squares = 0.0f;
  for (int f = 0; f < kFeatures; ++f) {
    const float d = v[f] - mean;
    squares += d * d;
  }
  const float scale = rsqrtf(squares / kFeatures + 1e-6f);

  for (int f = 0; f < kFeatures; ++f) {
    y[f * n + i] = (v[f] - mean) * scale;
  }
}

void normalise(const float* x, float* y, int n) {
  normalise_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(x, y, n);
}
