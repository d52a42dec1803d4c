// SPDX-License-Identifier: Apache-2.0
// mistake: the shuffles of the first step stand inside `if (i < n)` with a mask of all 32 lanes: in the last,
//   shorter segment lanes are named in the mask that do not take part, and what comes from them is undefined.
// want: n = 40: which lanes of warp 1 execute the shuffle, and which does the mask name? All lanes have to come
//   to the shuffle, those without an element with 0.
#include "reduce_sequential.h"

#define WARPS (SEGMENT / 32)

__device__ float warp_sum(float value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffffu, value, offset);
  }
  return value;  // in lane 0
}

// Each warp adds up its 32 elements in registers; then the first warp adds up the warps' sums.
__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float of_warp[WARPS];

  const int tx = threadIdx.x;
  const int i = blockIdx.x * SEGMENT + tx;
  float sum = 0.0f;
  if (i < n) {
    sum = warp_sum(X[i]);
  }
  if (tx % 32 == 0) {
    of_warp[tx / 32] = sum;
  }
  __syncthreads();

  if (tx < 32) {
    sum = warp_sum(tx < WARPS ? of_warp[tx] : 0.0f);
    if (tx == 0) {
      sums[blockIdx.x] = sum;
    }
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  const int segments = (n + SEGMENT - 1) / SEGMENT;
  reduce_kernel<<<segments, SEGMENT>>>(X, sums, n);
}
