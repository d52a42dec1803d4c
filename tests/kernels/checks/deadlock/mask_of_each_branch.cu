// SPDX-License-Identifier: Apache-2.0
// clean
// Each half names its own lanes.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  int value = in[threadIdx.x];
  if (threadIdx.x < 16) {
    value += __shfl_xor_sync(0x0000ffff, value, 1);
    value *= 3;
  } else {
    value -= __shfl_xor_sync(0xffff0000, value, 2);
  }
  out[threadIdx.x] = value;
}

int main() {
  k<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
