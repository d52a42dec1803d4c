// SPDX-License-Identifier: Apache-2.0
// differs: each warp adds up its 32 elements by shuffles; eight sums go through shared memory, the first warp adds them.

#include "reduce_sequential.h"

__device__ float warp_sum(float value) {
#pragma unroll
  for (int distance = 16; distance > 0; distance >>= 1) value += __shfl_down_sync(0xffffffffu, value, distance);
  return value;
}

__global__ void shuffle_kernel(const float* X, float* sums, int n) {
  __shared__ float of_warp[SEGMENT / 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int i = blockIdx.x * SEGMENT + threadIdx.x;
  const float sum = warp_sum(i < n ? X[i] : 0.0f);
  if (lane == 0) of_warp[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    const float total = warp_sum(lane < SEGMENT / 32 ? of_warp[lane] : 0.0f);
    if (lane == 0) sums[blockIdx.x] = total;
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  shuffle_kernel<<<(n + SEGMENT - 1) / SEGMENT, SEGMENT>>>(X, sums, n);
}
