// SPDX-License-Identifier: Apache-2.0
// finding: race, line 9, other 8, access read, object "argument 2"
// Lanes exchange values through global memory without meeting.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  const int lane = threadIdx.x;
  out[lane] = in[lane];
  out[32 + lane] = out[31 - lane];
}

int main() {
  k<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(64));
  cudaDeviceSynchronize();
  return 0;
}
