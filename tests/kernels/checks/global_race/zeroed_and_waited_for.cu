// SPDX-License-Identifier: Apache-2.0
// clean
// The first block sets the sum to 0 and says so by a flag, with fences on either side: all additions are
// behind it.
#include "tests/kernels/expect.h"

__device__ volatile int is_ready;

__global__ void k(const int* in, int* out) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) {
      *out = 0;
      __threadfence();
      is_ready = 1;
    }
    while (is_ready == 0) {
    }
    __threadfence();
    atomicAdd(out, in[blockIdx.x]);
  }
}

int main() {
  k<<<4, 32>>>(OnDevice(Integers(4)), OnDevice(std::vector<int>(1)));
  cudaDeviceSynchronize();
  return 0;
}
