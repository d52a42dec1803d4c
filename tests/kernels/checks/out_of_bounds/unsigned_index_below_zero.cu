// SPDX-License-Identifier: Apache-2.0
// finding: out_of_bounds, line 8, access read, object "argument 1"
// The sum of the tile before: blockIdx.x is unsigned, so that its index becomes 4294967295 in block 0.
#include "tests/kernels/expect.h"

__global__ void add_before(const int* totals, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int before = totals[blockIdx.x - 1];
  out[i] += before;
}

int main() {
  const int* totals = OnDevice(Integers(4));
  int* out = OnDevice(Integers(128));
  add_before<<<4, 32>>>(totals, out);
  cudaDeviceSynchronize();
  return 0;
}
