// SPDX-License-Identifier: Apache-2.0
// mistake: the 32 values of a thread are moved from registers to shared memory, 32 KB for a block of 256; of 164 KB
//   only four such blocks are resident, so that the multiprocessor is half full (of eight blocks) all the same.
// want: You freed the registers. What does a block of yours take of shared memory now, and how many such blocks find
//   room in 164 KB, when eight would be needed?

#include "off_the_cliff.h"

#define BLOCK 256

__global__ void normalise_kernel(const float* x, float* y, int n) {
  // the values live here and not in registers; each thread has its own column, so no barrier is needed
  __shared__ float v[kFeatures][BLOCK];

  const int t = threadIdx.x;
  const int i = blockIdx.x * BLOCK + t;
  if (i >= n) return;

  float sum = 0.0f;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    const float value = x[f * n + i];
    v[f][t] = value;
    sum += value;
  }
  const float mean = sum / kFeatures;

  float squares = 0.0f;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    const float d = v[f][t] - mean;
    squares += d * d;
  }
  const float scale = rsqrtf(squares / kFeatures + 1e-6f);

#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    y[f * n + i] = (v[f][t] - mean) * scale;
  }
}

void normalise(const float* x, float* y, int n) {
  const int blocks = (n + BLOCK - 1) / BLOCK;
  normalise_kernel<<<blocks, BLOCK>>>(x, y, n);
}
