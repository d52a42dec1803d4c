// SPDX-License-Identifier: Apache-2.0
// differs: half of a sample's features wait in dynamic shared memory (64 bytes a thread, 128 KB on a full SM), the
// other half is fetched again. Windows line ends.

#include "off_the_cliff.h"

constexpr int kThreads = 256;
constexpr int kKept = 16;

__global__ void half_kept(const float* __restrict__ x, float* __restrict__ y, int n) {
  extern __shared__ float kept[];  // [feature][thread]: neighbours in neighbouring banks; nobody reads another's
  const int i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= n) return;
  float* const mine = kept + threadIdx.x;

  float sum = 0.0f;
#pragma unroll 4
  for (int f = 0; f < kKept; ++f) {
    const float value = x[f * n + i];
    mine[f * kThreads] = value;
    sum += value;
  }
#pragma unroll 4
  for (int f = kKept; f < kFeatures; ++f) sum += x[f * n + i];
  const float mean = sum * (1.0f / kFeatures);

  float squares = 0.0f;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    const float d = (f < kKept ? mine[f * kThreads] : x[f * n + i]) - mean;
    squares = fmaf(d, d, squares);
  }
  const float scale = rsqrtf(fmaf(squares, 1.0f / kFeatures, 1e-6f));

#pragma unroll 4
  for (int f = kKept; f < kFeatures; ++f) y[f * n + i] = (x[f * n + i] - mean) * scale;
#pragma unroll 4
  for (int f = 0; f < kKept; ++f) y[f * n + i] = (mine[f * kThreads] - mean) * scale;
}

void normalise(const float* x, float* y, int n) {
  constexpr int bytes = kKept * kThreads * sizeof(float);
  cudaFuncSetAttribute(half_kept, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared);
  half_kept<<<(n + kThreads - 1) / kThreads, kThreads, bytes>>>(x, y, n);
}
