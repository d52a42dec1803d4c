// SPDX-License-Identifier: Apache-2.0
// finding: out_of_bounds, line 7, access write
// cudaMalloc was forgotten.
#include "tests/kernels/expect.h"

__global__ void fill(int* out) {
  out[threadIdx.x] = 1;
}

int main() {
  int* out = nullptr;
  fill<<<1, 32>>>(out);
  cudaDeviceSynchronize();
  return 0;
}
