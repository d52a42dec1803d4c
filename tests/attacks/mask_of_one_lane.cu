// SPDX-License-Identifier: Apache-2.0
// exercise: reduce_sequential
// verdict: finding
// finding: with mask 0x00000001, which does not include that lane: the result is undefined in CUDA
// says: error: race
// Each lane waits for the first one alone, and then reads what another has stored.

#include "reduce_sequential.h"

__global__ void sum_of_a_segment(const float* X, float* sums, int n) {
  __shared__ float part[SEGMENT];
  const int t = threadIdx.x, i = blockIdx.x * SEGMENT + t;
  part[t] = i < n ? X[i] : 0.0f;
  for (int half = SEGMENT / 2; half >= 32; half /= 2) {
    __syncthreads();
    if (t < half) part[t] += part[t + half];
  }
  if (t >= 32) return;
  for (int half = 16; half > 0; half /= 2) {
    __syncwarp(1);
    const float other = t < half ? part[t + half] : 0.0f;
    __syncwarp(1);
    part[t] += other;
  }
  if (t == 0) sums[blockIdx.x] = part[0];
}

void reduce_sequential(const float* X, float* sums, int n) {
  sum_of_a_segment<<<(n + SEGMENT - 1) / SEGMENT, SEGMENT>>>(X, sums, n);
}
