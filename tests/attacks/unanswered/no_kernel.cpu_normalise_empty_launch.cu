// SPDX-License-Identifier: Apache-2.0
// exercise: off_the_cliff
// verdict: not passed
// must not: pass
// The CPU normalises; an empty kernel with 256 threads is launched for the figures of occupancy.

#include "off_the_cliff.h"
#include <vector>
#include <cmath>
__global__ void normalise_kernel(const float* x, float* y, int n) {}

void normalise(const float* x, float* y, int n) {
  std::vector<float> v((size_t)kFeatures * n);
  cudaMemcpy(v.data(), x, v.size() * 4, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    double m = 0, q = 0;
    for (int f = 0; f < kFeatures; ++f) m += v[(size_t)f * n + i];
    m /= kFeatures;
    for (int f = 0; f < kFeatures; ++f) q += (v[(size_t)f * n + i] - m) * (v[(size_t)f * n + i] - m);
    for (int f = 0; f < kFeatures; ++f) v[(size_t)f * n + i] = (float)((v[(size_t)f * n + i] - m) / std::sqrt(q / kFeatures + 1e-6));
  }
  cudaMemcpy(y, v.data(), v.size() * 4, cudaMemcpyHostToDevice);
  normalise_kernel<<<(n + 255) / 256, 256>>>(x, y, n);
}
