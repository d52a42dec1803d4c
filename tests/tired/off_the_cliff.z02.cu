// SPDX-License-Identifier: Apache-2.0
// mistake: Values, registers and loads are right, but a block has 192 threads, of which 10 fit into 2048 thread slots: 1920
//   resident threads, so that a multiprocessor is never full (60 of 64 warps).
// want: How many blocks of yours fit into 2048 thread slots? How many slots are left over?
#include "off_the_cliff.h"

constexpr int kThreads = 192;  // 6 warps

__global__ void __launch_bounds__(kThreads) normalise_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= n) return;

  x += i;
  y += i;

  float mean = 0.0f;
#pragma unroll 8
  for (int f = 0; f < kFeatures; ++f) mean += x[f * n];
  mean *= 1.0f / kFeatures;

  // y keeps the differences until the scale is known
  float squares = 0.0f;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    const float d = x[f * n] - mean;
    y[f * n] = d;
    squares = fmaf(d, d, squares);
  }

  const float scale = rsqrtf(squares / kFeatures + 1e-6f);
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) y[f * n] *= scale;
}

void normalise(const float* x, float* y, int n) {
  normalise_kernel<<<(n + kThreads - 1) / kThreads, kThreads>>>(x, y, n);
}
