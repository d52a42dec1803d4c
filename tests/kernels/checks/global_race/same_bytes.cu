// SPDX-License-Identifier: Apache-2.0
// finding: race, line 7, access write, object "argument 2"
// Two threads of different warps write one byte.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, char* out) {
  out[threadIdx.x % 32] = threadIdx.x + in[0];
}

int main() {
  k<<<1, 64>>>(OnDevice(Integers(64)), OnDevice(std::vector<char>(64)));
  cudaDeviceSynchronize();
  return 0;
}
