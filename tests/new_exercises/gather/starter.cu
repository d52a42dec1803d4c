// SPDX-License-Identifier: Apache-2.0
//
// gather: each thread fetches one element.

#include "gather.h"

__global__ void gather_kernel(const float* in, const int* index, float* out, int n) {
  // TODO: which element of in belongs into this thread's element of out, and does that exist?
}

void gather(const float* in, const int* index, float* out, int n) {
  const int block = 256;
  const int grid = 1;  // TODO: as many blocks as n elements need
  gather_kernel<<<grid, block>>>(in, index, out, n);
}
