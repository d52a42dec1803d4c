// SPDX-License-Identifier: Apache-2.0
// exercise: coarsened_reduction
// verdict: not passed
// must not: pass
// The right grid, but thread 0 of block 0 does everything; the others do a dummy addition in registers.

#include "coarsened_reduction.h"

__global__ void coarsened_reduction_kernel(const float* in, float* out, int n) {
  __shared__ float part[256];
  float s = threadIdx.x;
  for (int c = 0; c < 8; ++c) s += c;
  part[threadIdx.x] = s;
  __syncthreads();
  if (threadIdx.x || blockIdx.x) return;
  s = 0;
  for (int i = 0; i < n; ++i) s += in[i];
  *out = s;
}

void coarsened_reduction(const float* input, float* output, int length) {
  coarsened_reduction_kernel<<<(length + 2048) / 2048, 256>>>(input, output, length);
}
