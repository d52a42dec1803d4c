// SPDX-License-Identifier: Apache-2.0
// mistake: moves the 32 values of each thread into shared memory: registers are few now, but 16 KB for a block of 128
//   threads let only 9 such blocks onto an A100's multiprocessor, where 16 would fill it.
// want: What limits occupancy now? How much shared memory do 2048 threads with 32 floats each need, and how much is
//   there? Which values could be read again instead of being kept anywhere?
#include "off_the_cliff.h"

#define BLOCK 128

// The features of a sample wait in shared memory, one column for each thread, so nobody needs a barrier.
__global__ void normalise_kernel(const float* x, float* y, int n) {
  __shared__ float keep[kFeatures][BLOCK];

  const int t = threadIdx.x;
  const int i = blockIdx.x * BLOCK + t;
  if (i >= n) return;

  float total = 0.0f;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    const float value = x[f * n + i];
    keep[f][t] = value;
    total += value;
  }
  const float mean = total / kFeatures;

  float squares = 0.0f;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    const float d = keep[f][t] - mean;
    squares += d * d;
  }
  const float scale = rsqrtf(squares / kFeatures + 1e-6f);

#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    y[f * n + i] = (keep[f][t] - mean) * scale;
  }
}

void normalise(const float* x, float* y, int n) {
  const int blocks = (n + BLOCK - 1) / BLOCK;
  normalise_kernel<<<blocks, BLOCK>>>(x, y, n);
}
