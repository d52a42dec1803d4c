// SPDX-License-Identifier: Apache-2.0
// differs: mean and variance in a single pass (Welford), so that x is fetched twice; reciprocals from a constexpr table
// in constant memory; blocks of 1024 threads. Byte order mark, Chinese comments.

#include "off_the_cliff.h"

struct Reciprocals {
  float of[kFeatures + 1];
};

constexpr Reciprocals make_reciprocals() {
  Reciprocals r = {};
  for (int i = 1; i <= kFeatures; ++i) r.of[i] = 1.0f / static_cast<float>(i);
  return r;
}

__constant__ Reciprocals reciprocals = make_reciprocals();  // 每个计数的倒数

__global__ void __launch_bounds__(1024, 2) one_pass(const float* x, float* y, int n) {
  const unsigned i = blockIdx.x * 1024u + threadIdx.x;
  if (i >= n) return;

  float mean = 0.0f, squares = 0.0f;
#pragma unroll 1
  for (int f = 0; f < kFeatures; ++f) {
    const float value = x[static_cast<unsigned>(f) * n + i];
    const float before = value - mean;
    mean += before * reciprocals.of[f + 1];
    squares += before * (value - mean);  // 与旧均值之差乘以与新均值之差
  }
  const float scale = rsqrtf(squares * reciprocals.of[kFeatures] + 1e-6f);

#pragma unroll 1
  for (int f = 0; f < kFeatures; ++f) {
    y[static_cast<unsigned>(f) * n + i] = (x[static_cast<unsigned>(f) * n + i] - mean) * scale;
  }
}

void normalise(const float* x, float* y, int n) {
  one_pass<<<(n + 1023) / 1024, 1024>>>(x, y, n);
}
