// SPDX-License-Identifier: Apache-2.0
// finding: race, line 13, other 8, access atomic, object "argument 2"
// The first block sets the sum to 0, and a fence behind it; that makes nobody wait who looks for nothing.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    *out = 0;
    __threadfence();
  }
  if (threadIdx.x == 0) {
    // The first block's own atomic is in order.
    atomicAdd(out, in[blockIdx.x]);
  }
}

int main() {
  k<<<4, 32>>>(OnDevice(Integers(4)), OnDevice(std::vector<int>(1)));
  cudaDeviceSynchronize();
  return 0;
}
