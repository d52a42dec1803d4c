// SPDX-License-Identifier: Apache-2.0
// clean
// Every block adds its result atomically.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  if (threadIdx.x == 0) atomicAdd(out, in[blockIdx.x]);
}

int main() {
  k<<<4, 32>>>(OnDevice(Integers(4)), OnDevice(std::vector<int>(1)));
  cudaDeviceSynchronize();
  return 0;
}
