// SPDX-License-Identifier: Apache-2.0
// mistake: eight warps share the features of 32 samples and exchange sums in `part`, which is used a second time for the
//   squares without a barrier in between: a fast warp writes its squares while a slow one still adds up the sums. Mean
//   and all that follows may be wrong (a race).
// want: Who may still read part[group] when you store the squares into it? After the loop that adds up the mean nobody
//   waits for anybody. A second array or a barrier more.
#include "off_the_cliff.h"

#define SAMPLES 32                     // of a block, one for each lane
#define GROUPS 8                       // warps of a block, they divide the features
#define SHARE (kFeatures / GROUPS)     // features of one thread

__global__ void normalise_kernel(const float* x, float* y, int n) {
  __shared__ float part[GROUPS][SAMPLES];

  const int lane = threadIdx.x;
  const int group = threadIdx.y;
  const int i = blockIdx.x * SAMPLES + lane;

  // Only 4 values are alive in a thread, not 32.
  float v[SHARE];
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < SHARE; ++k) {
    v[k] = i < n ? x[(group * SHARE + k) * n + i] : 0.0f;
    sum += v[k];
  }
  part[group][lane] = sum;
  __syncthreads();

  float mean = 0.0f;
  for (int g = 0; g < GROUPS; ++g) {
    mean += part[g][lane];
  }
  mean /= kFeatures;

  float squares = 0.0f;
#pragma unroll
  for (int k = 0; k < SHARE; ++k) {
    squares += (v[k] - mean) * (v[k] - mean);
  }
  part[group][lane] = squares;
  __syncthreads();

  float variance = 0.0f;
  for (int g = 0; g < GROUPS; ++g) {
    variance += part[g][lane];
  }
  variance /= kFeatures;
  const float scale = rsqrtf(variance + 1e-6f);

  if (i < n) {
#pragma unroll
    for (int k = 0; k < SHARE; ++k) {
      y[(group * SHARE + k) * n + i] = (v[k] - mean) * scale;
    }
  }
}

void normalise(const float* x, float* y, int n) {
  const dim3 block(SAMPLES, GROUPS);
  normalise_kernel<<<(n + SAMPLES - 1) / SAMPLES, block>>>(x, y, n);
}
