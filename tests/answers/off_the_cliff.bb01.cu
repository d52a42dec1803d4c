// SPDX-License-Identifier: Apache-2.0
// mistake: `part` is used for the sums and then again for the squares, and there is no barrier between reading the
//   sums and overwriting them: a race. Warp 0 (group 0) may have its mean and store its squares into part[0][lane]
//   while warp 5 still adds up part[0..7][lane] for its mean. Eight threads a sample with four features each is right.
// want: When a warp stores into `part` for the second time, what has every other warp of the block certainly done?
#include "off_the_cliff.h"

#define SAMPLES 32
#define GROUPS 8
#define PER_THREAD (kFeatures / GROUPS)

// A block has 32 samples; eight threads share a sample, each with four of its features.
__global__ void __launch_bounds__(SAMPLES* GROUPS, 8) normalise_kernel(const float* x, float* y, int n) {
  __shared__ float part[GROUPS][SAMPLES];

  const int lane = threadIdx.x;
  const int group = threadIdx.y;
  const int i = blockIdx.x * SAMPLES + lane;
  const bool exists = i < n;

  float v[PER_THREAD];
  float mine = 0.0f;
#pragma unroll
  for (int k = 0; k < PER_THREAD; ++k) {
    v[k] = exists ? x[(size_t)(group * PER_THREAD + k) * n + i] : 0.0f;
    mine += v[k];
  }
  part[group][lane] = mine;
  __syncthreads();

  float mean = 0.0f;
  for (int g = 0; g < GROUPS; ++g) mean += part[g][lane];
  mean /= kFeatures;

  mine = 0.0f;
#pragma unroll
  for (int k = 0; k < PER_THREAD; ++k) {
    v[k] -= mean;
    mine += v[k] * v[k];
  }
  part[group][lane] = mine;
  __syncthreads();

  float variance = 0.0f;
  for (int g = 0; g < GROUPS; ++g) variance += part[g][lane];
  variance /= kFeatures;
  const float scale = rsqrtf(variance + 1e-6f);

  if (exists) {
#pragma unroll
    for (int k = 0; k < PER_THREAD; ++k) {
      y[(size_t)(group * PER_THREAD + k) * n + i] = v[k] * scale;
    }
  }
}

void normalise(const float* x, float* y, int n) {
  const dim3 block(SAMPLES, GROUPS);
  normalise_kernel<<<(n + SAMPLES - 1) / SAMPLES, block>>>(x, y, n);
}
