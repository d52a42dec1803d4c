// SPDX-License-Identifier: Apache-2.0
// finding: race, line 10, other 9, access read, object "shared array `row`"
// Lanes read what their neighbours have written, as if a warp were in step.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  __shared__ int row[32];
  const int lane = threadIdx.x;
  row[lane] = in[lane];
  out[lane] = row[31 - lane];
}

int main() {
  k<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
