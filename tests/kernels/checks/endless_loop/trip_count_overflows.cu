// SPDX-License-Identifier: Apache-2.0
// finding: endless_loop, line 10
// The counter is a byte, which never reaches the number of tiles.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out, int tiles) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  int sum = 0;
  for (unsigned char i = 0; i < tiles; ++i) {
    tile[t] = in[t] + i;
    __syncthreads();
    if (t < 16) sum += tile[63 - t];
    __syncthreads();
  }
  out[t] = sum;
}

int main() {
  k<<<1, 64>>>(OnDevice(Integers(64)), OnDevice<int>(64), 300);
  cudaDeviceSynchronize();
  return 0;
}
