// SPDX-License-Identifier: Apache-2.0
//
// @EXERCISE@, a wrong answer: unguarded.

#include "@EXERCISE@.h"

__global__ void @EXERCISE@_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2.0f * in[i];
}

void @EXERCISE@(const float* in, float* out, int n) {
  const int block = 256;
  const int grid = (n + block - 1) / block;  // rounded up
  @EXERCISE@_kernel<<<grid, block>>>(in, out, n);
}
