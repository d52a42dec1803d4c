// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_reduction
// verdict: not passed
// must not: pass
// The sum accumulates in a __device__ variable that is never cleared: right in the first call of a process only.

#include "coarsened_reduction.h"

__device__ float total;
__global__ void reduce(const float* in, float* out, int n) {
  __shared__ float s[256];
  float v = 0;
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 256 * gridDim.x) v += in[i];
  s[threadIdx.x] = v;
  for (int d = 128; d > 0; d /= 2) { __syncthreads(); if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d]; }
  if (threadIdx.x == 0) atomicAdd(&total, s[0]);
}
__global__ void give(float* out) { *out = total; }

void coarsened_reduction(const float* input, float* output, int length) {
  const int b = (length + 2047) / 2048;
  if (b) reduce<<<b, 256>>>(input, output, length);
  give<<<1, 1>>>(output);
}
