// SPDX-License-Identifier: Apache-2.0
// finding: deadlock
// Both halves of a warp name all its lanes, each in a shuffle of its own.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  int value = in[threadIdx.x];
  if (threadIdx.x < 16) {
    value += __shfl_xor_sync(0xffffffff, value, 1);
    value *= 3;
  } else {
    value -= __shfl_xor_sync(0xffffffff, value, 2);
  }
  out[threadIdx.x] = value;
}

int main() {
  k<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
