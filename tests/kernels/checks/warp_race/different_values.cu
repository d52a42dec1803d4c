// SPDX-License-Identifier: Apache-2.0
// finding: race, line 8, access write, object "shared variable `last`"
// All lanes of a warp store into one element with one instruction.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  __shared__ int last;
  last = in[threadIdx.x];
  __syncwarp();
  out[threadIdx.x] = last;
}

int main() {
  k<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
