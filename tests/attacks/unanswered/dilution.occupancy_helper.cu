// SPDX-License-Identifier: Apache-2.0
// exercise: off_the_cliff
// verdict: not passed
// must not: pass
// 48 registers for the first 31 of 32 samples in one launch; a slim kernel does the rest and is launched last, if the last launch is looked at.

#include "off_the_cliff.h"

#define BLOCK 256

// One thread a sample.
__global__ void slim(const float* x, float* y, int n) {
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

static void solve(const float* x, float* y, int n) {
  slim<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(x, y, n);
}




// One thread a sample.
__global__ void normalise_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  // TODO: count the values that are alive between the first loop and the last. Which of them could be had
  // again, when they are needed, instead of being kept?
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

static void fat(const float* x, float* y, int n) {
  normalise_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(x, y, n);
}

void normalise(const float* x, float* y, int n) {
  fat(x, y, n);
  slim<<<1, 1>>>(x, y, n);
}
