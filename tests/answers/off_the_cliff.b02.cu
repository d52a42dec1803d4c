// SPDX-License-Identifier: Apache-2.0
// mistake: __launch_bounds__(256, 8) forces the compiler under 32 registers, but the 32 values v[f] are still
//   alive through all loops: what does not fit is spilled to local memory.
// want: where does the compiler put values that find no register? Look at the bytes of local memory (ptxas -v:
//   spill stores and loads). A bound does not reduce what is alive; the code has to.
#include "off_the_cliff.h"

#define BLOCK 256
#define BLOCKS_PER_SM 8  // 8 x 256 = 2048 threads

// One thread a sample.
__global__ void __launch_bounds__(BLOCK, BLOCKS_PER_SM) normalise_kernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;

  float v[kFeatures];
  float sum = 0.0f;
#pragma unroll
  for (int f = 0; f < kFeatures; ++f) {
    v[f] = x[f * n + i];
    sum += v[f];
  }
  const float mean = sum / kFeatures;

  float squares = 0.0f;
#pragma unroll
  for (int f = 0; f < kFeatures; ++f) {
    v[f] -= mean;
    squares += v[f] * v[f];
  }
  const float scale = rsqrtf(squares / kFeatures + 1e-6f);

#pragma unroll
  for (int f = 0; f < kFeatures; ++f) {
    y[f * n + i] = v[f] * scale;
  }
}

void normalise(const float* x, float* y, int n) {
  normalise_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(x, y, n);
}
