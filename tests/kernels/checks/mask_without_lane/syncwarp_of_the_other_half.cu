// SPDX-License-Identifier: Apache-2.0
// finding: mask_without_lane, line 13
// finding: race, line 14, other 10
// The upper half names the lower: it waits for nobody that it has to wait for.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  tile[t] = in[t];
  // What lanes 0 to 15 have stored is there for them. The others are not named, and are ordered after
  // nobody's stores.
  __syncwarp(0xffff);
  out[t] = tile[31 - t];
}

int main() {
  k<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
