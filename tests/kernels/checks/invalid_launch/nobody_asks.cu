// SPDX-License-Identifier: Apache-2.0
// finding: invalid_launch
// A block of 2048 threads, and nobody asks for the error.
#include "tests/kernels/expect.h"

__global__ void k(int* out) {
  out[threadIdx.x] = 1;
}

int main() {
  k<<<1, 2048>>>(OnDevice<int>(2048));
  return 0;
}
