// SPDX-License-Identifier: Apache-2.0
// mistake: the values are kept in shared memory: 128 threads x 32 x 4 = 16 KB a block, 17 KB with the reserved 1024
//   bytes, so that in 164 KB only 9 blocks are resident, 1152 of 2048 threads, and the multiprocessor is not full.
//   Registers are few, results and loads are right.
// want: You need few registers now. What else does a block take, and how many such blocks fit in 164 KB? How many threads
//   is that?
#include "off_the_cliff.h"

#define BLOCK 128

__global__ void normalise_kernel(const float* __restrict__ x, float* __restrict__ y, int n) {
  // [feature][thread]: neighbours in neighbouring banks, and each thread reads back only its own column
  __shared__ float keep[kFeatures][BLOCK];

  const int t = threadIdx.x;
  const int sample = blockIdx.x * BLOCK + t;
  if (sample >= n) return;

  float total = 0.0f;
#pragma unroll 4
  for (int f = 0; f < kFeatures; f++) {
    const float v = x[f * n + sample];
    keep[f][t] = v;
    total += v;
  }
  const float mean = total * (1.0f / kFeatures);

  float var = 0.0f;
#pragma unroll 4
  for (int f = 0; f < kFeatures; f++) {
    const float centred = keep[f][t] - mean;
    keep[f][t] = centred;
    var = fmaf(centred, centred, var);
  }
  const float inv = 1.0f / sqrtf(var / kFeatures + 1e-6f);

#pragma unroll 4
  for (int f = 0; f < kFeatures; f++) y[f * n + sample] = keep[f][t] * inv;
}

void normalise(const float* x, float* y, int n) {
  const int blocks = n / BLOCK + (n % BLOCK != 0);
  normalise_kernel<<<blocks, BLOCK>>>(x, y, n);
}
