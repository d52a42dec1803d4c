// SPDX-License-Identifier: Apache-2.0
// finding: race, line 9, other 8, object "argument 2"
// The warps of a block exchange values through global memory without a barrier.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  const int t = threadIdx.x;
  out[t] = in[t];
  out[64 + t] = out[63 - t];
}

int main() {
  k<<<1, 64>>>(OnDevice(Integers(64)), OnDevice(std::vector<int>(128)));
  cudaDeviceSynchronize();
  return 0;
}
