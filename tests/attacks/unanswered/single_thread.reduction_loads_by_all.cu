// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_reduction
// verdict: not passed
// must not: pass
// All threads load (8 each) into shared memory; thread 0 alone adds the 2048 elements.

#include "coarsened_reduction.h"

__global__ void coarsened_reduction_kernel(const float* in, float* out, int n) {
  __shared__ float part[2048];
  for (int c = 0; c < 8; ++c) {
    const int i = (blockIdx.x * 8 + c) * 256 + threadIdx.x;
    part[c * 256 + threadIdx.x] = i < n ? in[i] : 0.0f;
  }
  __syncthreads();
  if (threadIdx.x) return;
  float s = 0;
  for (int i = 0; i < 2048; ++i) s += part[i];
  atomicAdd(out, s);
}

void coarsened_reduction(const float* input, float* output, int length) {
  cudaMemset(output, 0, 4);
  if (length) coarsened_reduction_kernel<<<(length + 2047) / 2048, 256>>>(input, output, length);
}
