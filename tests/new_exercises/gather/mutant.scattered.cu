// SPDX-License-Identifier: Apache-2.0
//
// gather, a wrong answer: elements are stored at index[i].

#include "gather.h"

__global__ void gather_kernel(const float* in, const int* index, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[index[i]] = in[i];
  }
}

void gather(const float* in, const int* index, float* out, int n) {
  const int block = 256;
  const int grid = (n + block - 1) / block;  // rounded up
  gather_kernel<<<grid, block>>>(in, index, out, n);
}
