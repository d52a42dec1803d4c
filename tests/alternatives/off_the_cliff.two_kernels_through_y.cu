// SPDX-License-Identifier: Apache-2.0
// differs: two kernels. The first leaves each sample's mean and scale in rows 0 and 1 of y, the second takes them from
// there and then writes all of y: those two rows are stored twice, x is fetched three times.

#include "off_the_cliff.h"

__global__ void statistics(const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    float sum = 0.0f;
#pragma unroll 2
    for (int f = 0; f < kFeatures; ++f) sum += x[f * n + i];
    const float mean = sum / kFeatures;
    float squares = 0.0f;
#pragma unroll 2
    for (int f = 0; f < kFeatures; ++f) squares += (x[f * n + i] - mean) * (x[f * n + i] - mean);
    y[i] = mean;
    y[n + i] = rsqrtf(squares / kFeatures + 1e-6f);
  }
}

__global__ void apply(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float mean = y[i];
  const float scale = y[n + i];
#pragma unroll 1
  for (int f = kFeatures; f-- > 0;) y[f * n + i] = (x[f * n + i] - mean) * scale;
}

void normalise(const float* x, float* y, int n) {
  statistics<<<(n + 511) / 512, 512>>>(x, y, n);
  apply<<<(n + 127) / 128, 128>>>(x, y, n);
}
