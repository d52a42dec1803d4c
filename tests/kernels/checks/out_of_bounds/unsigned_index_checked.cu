// SPDX-License-Identifier: Apache-2.0
// clean
// The first block reads no sum before its own.
#include "tests/kernels/expect.h"

__global__ void add_before(const int* totals, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int before = blockIdx.x > 0 ? totals[blockIdx.x - 1] : 0;
  out[i] += before;
}

int main() {
  const int* totals = OnDevice(Integers(4));
  int* out = OnDevice(Integers(128));
  add_before<<<4, 32>>>(totals, out);
  FINISH();
  return 0;
}
