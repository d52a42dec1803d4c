// SPDX-License-Identifier: Apache-2.0
// finding: divergent_barrier, line 14
// warning: barrier_after_exit, line 17
// __syncthreads() in code that half of each warp skips; that half is a barrier ahead from there on, and gone
// when the other comes to the last one.
#include "tests/kernels/expect.h"

__global__ void add_even(const int* in, int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = in[t];
  int value = 0;
  if (t % 2 == 0) {
    __syncthreads();
    value = tile[63 - t];
  }
  __syncthreads();
  out[t] = tile[t] + value;
}

int main() {
  add_even<<<1, 64>>>(OnDevice(Integers(64)), OnDevice<int>(64));
  cudaDeviceSynchronize();
  return 0;
}
