// SPDX-License-Identifier: Apache-2.0
// mistake: registers are fine, but the block has 768 threads: two blocks are 1536 of 2048 threads, and a third does not
//   fit. The multiprocessor is at 75 %.
// want: How often does a block of 768 threads fit into 2048 thread slots, and what remains empty? Choose a block size of
//   which a multiple is 2048.
#include "off_the_cliff.h"

// Large blocks, so that there is always another warp to run.
#define THREADS 768

__global__ void normalise_kernel(const float* x, float* y, int n) {
  const int sample = blockIdx.x * THREADS + threadIdx.x;
  if (sample >= n) return;

  // Three walks over the features instead of an array of 32. No unrolling, or they all get a register again.
  float mean = 0.0f;
  const float* in = x + sample;
#pragma unroll 1
  for (int f = 0; f < kFeatures; ++f, in += n) {
    mean += *in;
  }
  mean *= 1.0f / kFeatures;

  float variance = 0.0f;
  in = x + sample;
#pragma unroll 1
  for (int f = 0; f < kFeatures; ++f, in += n) {
    const float off = *in - mean;
    variance += off * off;
  }
  variance *= 1.0f / kFeatures;

  const float scale = 1.0f / sqrtf(variance + 1e-6f);
  in = x + sample;
  float* out = y + sample;
#pragma unroll 1
  for (int f = 0; f < kFeatures; ++f, in += n, out += n) {
    *out = (*in - mean) * scale;
  }
}

void normalise(const float* x, float* y, int n) {
  const int blocks = (n + THREADS - 1) / THREADS;
  normalise_kernel<<<blocks, THREADS>>>(x, y, n);
}
