// SPDX-License-Identifier: Apache-2.0
// clean
// Each lane reads back what it wrote itself; others after a shuffle, which all take part in.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  const int lane = threadIdx.x;
  out[lane] = in[lane];
  const int mine = out[lane];
  const int sum = mine + __shfl_xor_sync(0xffffffff, mine, 16);
  out[32 + lane] = sum + out[31 - lane];
}

int main() {
  k<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(64));
  cudaDeviceSynchronize();
  return 0;
}
