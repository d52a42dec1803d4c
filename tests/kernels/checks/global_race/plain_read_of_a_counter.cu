// SPDX-License-Identifier: Apache-2.0
// warning: race, line 8, other 9, object "argument 2"
// A plain look at a number that others update atomically.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  if (value > *out) {
    atomicMax(out, value);
  }
}

int main() {
  k<<<4, 32>>>(OnDevice(Integers(128)), OnDevice(std::vector<int>(1)));
  cudaDeviceSynchronize();
  return 0;
}
