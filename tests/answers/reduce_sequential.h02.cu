// SPDX-License-Identifier: Apache-2.0
// mistake: two: in the last segment only the lanes with an element reach the shuffles, whose mask names all 32 (the
//   result is undefined); and no barrier lies between the warps' stores to warp_sums and the first warp's loads,
//   so that it may add what is not there yet.
// want: n is 300: which lanes of the second warp of block 1 come to the shuffle, and which does its mask promise?
//   And how does warp 0 know that warp 7 has stored its sum?

#include "reduce_sequential.h"

constexpr unsigned kAll = 0xffffffffu;
constexpr int kWarps = SEGMENT / 32;

__device__ float warp_sum(float v) {
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) {
    v += __shfl_down_sync(kAll, v, offset);
  }
  return v;
}

__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float warp_sums[kWarps];

  const int lane = threadIdx.x % 32;
  const int warp = threadIdx.x / 32;
  const int i = blockIdx.x * SEGMENT + threadIdx.x;

  float v = 0.0f;
  if (i < n) {
    v = warp_sum(X[i]);
  }
  if (lane == 0) {
    warp_sums[warp] = v;
  }

  if (warp == 0) {
    float total = lane < kWarps ? warp_sums[lane] : 0.0f;
    total = warp_sum(total);
    if (lane == 0) {
      sums[blockIdx.x] = total;
    }
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  reduce_kernel<<<(n + SEGMENT - 1) / SEGMENT, SEGMENT>>>(X, sums, n);
}
