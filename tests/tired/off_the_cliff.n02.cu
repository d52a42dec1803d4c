// SPDX-License-Identifier: Apache-2.0
// mistake: blocks of 192 threads: ten of them are 1920 threads, and an eleventh does not fit into 2048, so that the
//   multiprocessor is never full. The rest is right.
// want: How many of your blocks fit into 2048 thread slots, and how many slots stay empty? Which block sizes leave none?
#include "off_the_cliff.h"

// 6 warps
constexpr int kThreads = 192;

// Reads the sample three times (mean, variance, result), so that no value has to be kept.
__global__ void normalise_sample(const float* x, float* y, int n) {
  const int sample = blockIdx.x * kThreads + threadIdx.x;
  if (sample < n) {
    const float* in = x + sample;
    float mean = 0.0f;
#pragma unroll 4
    for (int f = 0; f < kFeatures; ++f) mean += in[f * n];
    mean *= 1.0f / kFeatures;

    float var = 0.0f;
#pragma unroll 4
    for (int f = 0; f < kFeatures; ++f) {
      const float diff = in[f * n] - mean;
      var += diff * diff;
    }
    var *= 1.0f / kFeatures;
    const float inv = 1.0f / sqrtf(var + 1e-6f);

    float* out = y + sample;
#pragma unroll 4
    for (int f = 0; f < kFeatures; ++f) out[f * n] = (in[f * n] - mean) * inv;
  }
}

void normalise(const float* x, float* y, int n) {
  normalise_sample<<<(n + kThreads - 1) / kThreads, kThreads>>>(x, y, n);
}
