// SPDX-License-Identifier: Apache-2.0
// mistake: Blocks of 384 threads: 2048 / 384 = 5 blocks, 1920 of 2048 thread slots, so the multiprocessor is not full though
//   registers would allow it. (Values, registers and loads are right.)
// want: Your registers are fine. How many of your blocks fit into 2048 thread slots, and how many slots stay empty?
#include "off_the_cliff.h"

// 12 warps: three for each of the four schedulers
constexpr int kThreads = 384;

__global__ void normalise_kernel(const float* x, float* y, int n) {
  const int sample = blockIdx.x * kThreads + threadIdx.x;
  if (sample < n) {
    // Nothing is kept; every pass reads the features again. They are still in the cache, hopefully.
    const float* in = x + sample;
    float mean = 0.0f;
#pragma unroll 4
    for (int f = 0; f < kFeatures; ++f) mean += in[f * n];
    mean *= 1.0f / kFeatures;

    float variance = 0.0f;
#pragma unroll 4
    for (int f = 0; f < kFeatures; ++f) {
      const float d = in[f * n] - mean;
      variance = fmaf(d, d, variance);
    }
    variance *= 1.0f / kFeatures;

    const float inverse = 1.0f / sqrtf(variance + 1e-6f);
    float* out = y + sample;
#pragma unroll 4
    for (int f = 0; f < kFeatures; ++f) out[f * n] = (in[f * n] - mean) * inverse;
  }
}

void normalise(const float* x, float* y, int n) {
  const int blocks = (n - 1) / kThreads + 1;
  normalise_kernel<<<blocks, kThreads>>>(x, y, n);
}
