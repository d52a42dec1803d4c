// SPDX-License-Identifier: Apache-2.0
// mistake: the variance is the sum of squares over kFeatures - 1 (a sample's estimate), and the header wants the average
//   over all 32. Every value is too small by about sqrt(31 / 32) = 0.984: features 1, -1, 1, -1, ... should come out as
//   +-1, here as +-0.984. The running mean (Welford) is right.
// want: Your running mean and m2 are fine. Work out y for features 1, -1, 1, -1, ... by the header and by your last line
//   before the second loop: by how much do they differ?
#include "off_the_cliff.h"

constexpr int kThreads = 128;

// Welford: mean and squares in one pass, nothing to keep
struct Moments {
  float mean = 0.0f;
  float m2 = 0.0f;
  int count = 0;

  __device__ void add(float value) {
    ++count;
    const float delta = value - mean;
    mean += delta * (1.0f / count);
    m2 += delta * (value - mean);
  }
  __device__ float variance() const { return m2 / (count - 1); }
};

__global__ void __launch_bounds__(kThreads) normalise_kernel(const float* x, float* y, int n) {
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) {
    Moments m;
#pragma unroll 1
    for (int f = 0; f < kFeatures; ++f) m.add(x[(size_t)f * n + i]);

    const float scale = rsqrtf(m.variance() + 1e-6f);
#pragma unroll 4
    for (int f = 0; f < kFeatures; ++f) {
      y[(size_t)f * n + i] = (x[(size_t)f * n + i] - m.mean) * scale;
    }
  }
}

void normalise(const float* x, float* y, int n) {
  normalise_kernel<<<(n + kThreads - 1) / kThreads, kThreads>>>(x, y, n);
}
