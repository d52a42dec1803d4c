// SPDX-License-Identifier: Apache-2.0
// finding: race, line 7, access write, object "argument 2"
// Every block puts its result into one element.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  if (threadIdx.x == 0) *out = in[blockIdx.x];
}

int main() {
  k<<<4, 32>>>(OnDevice(Integers(4)), OnDevice(std::vector<int>(1)));
  cudaDeviceSynchronize();
  return 0;
}
