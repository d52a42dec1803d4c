// SPDX-License-Identifier: Apache-2.0
// finding: deadlock, line 8
// Half of a warp waits in a shuffle for lanes that wait at the barrier, which every thread would reach.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  int value = in[threadIdx.x];
  if (threadIdx.x < 16) value += __shfl_xor_sync(0xffffffff, value, 1);
  __syncthreads();
  out[threadIdx.x] = value;
}

int main() {
  k<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
