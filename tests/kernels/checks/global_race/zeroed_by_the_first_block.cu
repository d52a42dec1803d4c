// SPDX-License-Identifier: Apache-2.0
// finding: race, line 14, other 7, access atomic, object "argument 2"
// The first block sets the sum to 0, and adds its part behind a barrier; others may have added theirs before.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *out = 0;
  __shared__ int part;
  if (threadIdx.x == 0) part = in[blockIdx.x];
  __syncthreads();
  // The first block's own atomic comes behind its store, and is not at odds with it. That the store is at
  // odds with the other blocks' must not be forgotten over it.
  if (threadIdx.x == 0) {
    atomicAdd(out, part);
  }
}

int main() {
  k<<<4, 32>>>(OnDevice(Integers(4)), OnDevice(std::vector<int>(1)));
  cudaDeviceSynchronize();
  return 0;
}
