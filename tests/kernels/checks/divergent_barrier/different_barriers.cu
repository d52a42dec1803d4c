// SPDX-License-Identifier: Apache-2.0
// finding: divergent_barrier
// The two warps of a block meet at two different barriers: hardware goes on, out of step.
#include "tests/kernels/expect.h"

__global__ void two_paths(int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  if (t < 32) {
    tile[t] = 1;
    __syncthreads();
    out[t] = tile[t] * 2;
  } else {
    tile[t] = 2;
    __syncthreads();
    out[t] = tile[t] * 3;
  }
}

int main() {
  two_paths<<<1, 64>>>(OnDevice<int>(64));
  cudaDeviceSynchronize();
  return 0;
}
