// SPDX-License-Identifier: Apache-2.0
// mistake: (1) the 32 values of each thread moved from registers to shared memory: 32 KB for 256 threads, so
//   that only 4 blocks (1024 threads) fit into 164 KB and the SM is half full. (2) the squares are divided by
//   kFeatures - 1, the estimate from a sample, where the contract says average.
// want: by what is the sum of squares divided in the contract? After that: how many bytes of shared memory would
//   2048 threads with 32 floats each need, and how many has the SM?
#include "off_the_cliff.h"

#define BLOCK 256

// One thread a sample. A thread's values stand in its own column of the array: no barrier is needed.
__global__ void normalise_kernel(const float* x, float* y, int n) {
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
  const float scale = rsqrtf(squares / (kFeatures - 1) + 1e-6f);

#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    y[f * n + i] = (v[f][t] - mean) * scale;
  }
}

void normalise(const float* x, float* y, int n) {
  normalise_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(x, y, n);
}
