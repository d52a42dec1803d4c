// SPDX-License-Identifier: Apache-2.0
// finding: race, line 11, other 10, object "shared array `tile`"
// finding: uninitialised, line 11, access read, object "shared array `tile`"
// The barrier between filling the tile and reading a neighbour's element is missing.
#include "tests/kernels/expect.h"

__global__ void reverse(const int* in, int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = in[t];
  out[t] = tile[63 - t];
}

int main() {
  reverse<<<1, 64>>>(OnDevice(Integers(64)), OnDevice<int>(64));
  cudaDeviceSynchronize();
  return 0;
}
