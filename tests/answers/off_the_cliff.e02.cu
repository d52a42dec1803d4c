// SPDX-License-Identifier: Apache-2.0
// mistake: the shared array is used a second time, for the squares, while slower warps may still be adding up the
//   sums that lie in it: a barrier is missing between the last reading of the sums and the writing of the squares.
// want: A warp that has its mean goes on at once. What does it write next, and who may still want to read what lies
//   there?

#include "off_the_cliff.h"

#define SAMPLES 64  // of a block
#define GROUPS 4    // threads that share a sample
#define PER_THREAD (kFeatures / GROUPS)

// Four threads a sample, so that each keeps 8 features only.
__global__ void normalise_kernel(const float* x, float* y, int n) {
  __shared__ float part[GROUPS][SAMPLES];

  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int i = blockIdx.x * SAMPLES + tx;
  const int first = ty * PER_THREAD;

  float v[PER_THREAD];
  float sum = 0.0f;
#pragma unroll
  for (int f = 0; f < PER_THREAD; ++f) {
    v[f] = i < n ? x[(first + f) * n + i] : 0.0f;
    sum += v[f];
  }
  part[ty][tx] = sum;
  __syncthreads();

  float mean = 0.0f;
#pragma unroll
  for (int g = 0; g < GROUPS; ++g) mean += part[g][tx];
  mean /= kFeatures;

  float squares = 0.0f;
#pragma unroll
  for (int f = 0; f < PER_THREAD; ++f) {
    v[f] -= mean;
    squares += v[f] * v[f];
  }
  part[ty][tx] = squares;
  __syncthreads();

  float variance = 0.0f;
#pragma unroll
  for (int g = 0; g < GROUPS; ++g) variance += part[g][tx];
  variance /= kFeatures;
  const float scale = rsqrtf(variance + 1e-6f);

  if (i < n) {
#pragma unroll
    for (int f = 0; f < PER_THREAD; ++f) {
      y[(first + f) * n + i] = v[f] * scale;
    }
  }
}

void normalise(const float* x, float* y, int n) {
  normalise_kernel<<<(n + SAMPLES - 1) / SAMPLES, dim3(SAMPLES, GROUPS)>>>(x, y, n);
}
