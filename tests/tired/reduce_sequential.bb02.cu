// SPDX-License-Identifier: Apache-2.0
// mistake: the last six steps run within warp 0 on a volatile pointer without __syncwarp(). volatile does not order
//   lanes: since Volta the lanes of a warp need not go in step, so lane 0 may read v[16] before lane 16 has added v[48]
//   to it, or lane 16 may already have added v[32] in the next step: a race in every segment.
// want: Between two of the last steps, what makes sure that the lane whose sum you read has finished the step before?
#include "reduce_sequential.h"

// The last 64 summands, by one warp.
__device__ void finish(volatile float* v, int t) {
  v[t] += v[t + 32];
  v[t] += v[t + 16];
  v[t] += v[t + 8];
  v[t] += v[t + 4];
  v[t] += v[t + 2];
  v[t] += v[t + 1];
}

__global__ void reduce_kernel(const float* X, float* sums, int n) {
  __shared__ float partial[SEGMENT];

  const unsigned t = threadIdx.x;
  const unsigned i = blockIdx.x * SEGMENT + t;
  partial[t] = i < (unsigned)n ? X[i] : 0.0f;
  __syncthreads();

  for (unsigned stride = SEGMENT / 2; stride > 32; stride >>= 1) {
    if (t < stride) partial[t] += partial[t + stride];
    __syncthreads();
  }

  if (t < 32) {
    finish(partial, t);  // a warp needs no barrier
    if (t == 0) sums[blockIdx.x] = partial[0];
  }
}

void reduce_sequential(const float* X, float* sums, int n) {
  reduce_kernel<<<(n + SEGMENT - 1) / SEGMENT, SEGMENT>>>(X, sums, n);
}
