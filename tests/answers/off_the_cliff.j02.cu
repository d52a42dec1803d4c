// SPDX-License-Identifier: Apache-2.0
// mistake: halves the features to keep only 16 alive, computes mean and variance of each half, and takes the average of
//   the two variances for that of all 32. Each half's variance is about its own mean; how far the two means lie apart
//   is missing. The scale is too large wherever the halves' means differ: a little for random data, much where features
//   0 to 15 and 16 to 31 lie at different heights.
// want: Features 0 to 15 are all 0 and features 16 to 31 all 1: what is the variance of the 32, and what does your code
//   find? About which mean are the deviations of each half taken, and about which does the header take them?
#include "off_the_cliff.h"

#define BLOCK 256
#define HALF (kFeatures / 2)

// Mean and variance of the features first, first + 1, ..., first + HALF - 1 of sample i.
__device__ void half_of(const float* x, int n, int i, int first, float& mean, float& variance) {
  float v[HALF];
  mean = 0.0f;
#pragma unroll
  for (int f = 0; f < HALF; ++f) {
    v[f] = x[(first + f) * n + i];
    mean += v[f];
  }
  mean /= HALF;

  variance = 0.0f;
#pragma unroll
  for (int f = 0; f < HALF; ++f) {
    variance += (v[f] - mean) * (v[f] - mean);
  }
  variance /= HALF;
}

__global__ void normalise_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  // both halves are equally large
  float mean = 0.0f, var = 0.0f;
#pragma unroll 1
  for (int first = 0; first < kFeatures; first += HALF) {
    float m, v;
    half_of(x, n, i, first, m, v);
    mean += 0.5f * m;
    var += 0.5f * v;
  }
  const float scale = rsqrtf(var + 1e-6f);

  // fetch them once more instead of keeping them
#pragma unroll 2
  for (int f = 0; f < kFeatures; ++f) {
    y[f * n + i] = (x[f * n + i] - mean) * scale;
  }
}

void normalise(const float* x, float* y, int n) {
  normalise_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(x, y, n);
}
