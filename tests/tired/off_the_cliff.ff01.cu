// SPDX-License-Identifier: Apache-2.0
// mistake: the features are kept in shared memory, 32 x 256 x 4 = 32768 bytes a block. Of an A100's 164 KB that
//   leaves room for 4 blocks of 256 threads (with the reserved 1024 bytes each), 1024 threads of 2048: the
//   multiprocessor is not full. Values, registers and loads are in order; no barrier is needed, since each
//   thread reads its own column only.
// want: The registers are in order now. What else does a block take from a multiprocessor, and how many such
//   blocks fit into 164 KB?
#include "off_the_cliff.h"

constexpr int kBlock = 256;

__global__ void normalise_kernel(const float* __restrict__ x, float* __restrict__ y, int n) {
  // the values have to stay somewhere: here they cost no registers
  __shared__ float v[kFeatures][kBlock];

  const int t = threadIdx.x;
  const int i = blockIdx.x * kBlock + t;
  if (i >= n) return;

  float sum = 0.0f;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    const float value = x[f * n + i];
    v[f][t] = value;
    sum += value;
  }
  const float mean = sum * (1.0f / kFeatures);

  float squares = 0.0f;
#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    const float d = v[f][t] - mean;
    squares = fmaf(d, d, squares);
  }
  const float scale = rsqrtf(squares * (1.0f / kFeatures) + 1e-6f);

#pragma unroll 4
  for (int f = 0; f < kFeatures; ++f) {
    y[f * n + i] = (v[f][t] - mean) * scale;
  }
}

void normalise(const float* x, float* y, int n) {
  normalise_kernel<<<(n + kBlock - 1) / kBlock, kBlock>>>(x, y, n);
}
