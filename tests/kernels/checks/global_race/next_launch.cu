// SPDX-License-Identifier: Apache-2.0
// clean
// What one launch writes the next one may read, in whatever block.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = in[127 - (blockIdx.x * blockDim.x + threadIdx.x)];
}

int main() {
  int *a = OnDevice(Integers(128)), *b = OnDevice<int>(128);
  k<<<4, 32>>>(a, b);
  k<<<4, 32>>>(b, a);
  FINISH();
  return 0;
}
