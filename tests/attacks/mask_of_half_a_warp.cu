// SPDX-License-Identifier: Apache-2.0
// exercise: reduce_sequential
// verdict: finding
// finding: with mask 0x0000ffff, which does not include that lane: the result is undefined in CUDA
// says: 0x0000ffff
// Right on every card that was tried, and undefined: all 32 lanes shuffle, and the mask names half of them.

#include "reduce_sequential.h"

__global__ void sum_of_a_segment(const float* X, float* sums, int n) {
  __shared__ float part[SEGMENT];
  const int t = threadIdx.x, i = blockIdx.x * SEGMENT + t;
  float sum = i < n ? X[i] : 0.0f;
  part[t] = sum;
  __syncthreads();
  for (int half = SEGMENT / 2; half >= 32; half /= 2) {
    if (t < half) part[t] = sum += part[t + half];
    __syncthreads();
  }
  if (t >= 32) return;
  for (int delta = 16; delta > 0; delta /= 2) sum += __shfl_down_sync(0xffff, sum, delta);
  if (t == 0) sums[blockIdx.x] = sum;
}

void reduce_sequential(const float* X, float* sums, int n) {
  sum_of_a_segment<<<(n + SEGMENT - 1) / SEGMENT, SEGMENT>>>(X, sums, n);
}
