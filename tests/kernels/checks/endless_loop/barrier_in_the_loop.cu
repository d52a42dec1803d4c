// SPDX-License-Identifier: Apache-2.0
// finding: endless_loop, line 11
// The halving stride never gets below zero, and part of each warp works between the barriers: all threads go
// round for ever, and come to the barrier together.
#include "tests/kernels/expect.h"

__global__ void sum(int* out, unsigned n) {
  __shared__ int part[64];
  const unsigned t = threadIdx.x;
  part[t] = t;
  for (unsigned stride = n; stride < 64; stride /= 2) {
    __syncthreads();
    if (t < stride) part[t] += part[t + stride];
  }
  out[t] = part[t];
}

int main() {
  sum<<<1, 64>>>(OnDevice<int>(64), 32);
  cudaDeviceSynchronize();
  return 0;
}
