// SPDX-License-Identifier: Apache-2.0
// mistake: each lane adds eight elements that lie in a row, so in each step the 32 lanes touch 32 sectors. That is 8 x 32
//   = 256 sectors for a full segment, where 1.5 x 32 + 2 = 50 are allowed. Values are right for every n; there is no
//   shared memory and needs to be none, and a warp that returns early does so as a whole.
// want: Take one step of the loop. Which addresses do lanes 0, 1 and 2 read in it, and how many sectors is that for the
//   warp?
#include "reduce_sequential.h"

constexpr int kWarpsPerBlock = 8;
constexpr int kPerLane = SEGMENT / 32;

// One warp does a whole segment, all by itself: no barrier, no shared memory, no bank.
__global__ void warp_reduce(const float* __restrict__ X, float* __restrict__ sums, int n, int segments) {
  const int lane = threadIdx.x & 31;
  const int segment = blockIdx.x * kWarpsPerBlock + (threadIdx.x >> 5);
  if (segment >= segments) return;

  int i = segment * SEGMENT + lane * kPerLane;
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < kPerLane; ++k, ++i) {
    sum += i < n ? X[i] : 0.0f;
  }

#pragma unroll
  for (int other = 16; other > 0; other /= 2) {
    sum += __shfl_xor_sync(0xffffffffu, sum, other);
  }
  if (lane == 0) sums[segment] = sum;
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int segments = (n + SEGMENT - 1) / SEGMENT;
  const int blocks = (segments + kWarpsPerBlock - 1) / kWarpsPerBlock;
  warp_reduce<<<blocks, 32 * kWarpsPerBlock>>>(X, sums, n, segments);
}
