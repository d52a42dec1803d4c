// SPDX-License-Identifier: Apache-2.0
// finding: race, line 12, other 10, object "shared array `tile`"
// finding: race, line 21, other 19
// Each half of a warp synchronises with itself, and then reads what the other half has stored.
#include "tests/kernels/expect.h"

__global__ void in_shared(const int* in, int* out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncwarp(t < 16 ? 0xffff : 0xffff0000);
  out[t] = tile[31 - t];
}

__global__ void in_global(const int* in, int* tile, int* out) {
  const int t = threadIdx.x;
  // A barrier of all before the stores changes nothing.
  __syncwarp();
  tile[t] = in[t];
  __syncwarp(t < 16 ? 0xffff : 0xffff0000);
  out[t] = tile[t ^ 16];
}

int main() {
  in_shared<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(32));
  in_global<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(32), OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
