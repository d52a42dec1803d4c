// SPDX-License-Identifier: Apache-2.0
// finding: uninitialised, line 11, access read, object "shared array `tile`"
// Only threads inside the matrix fill the tile, all of it is read (compute-sanitizer misses it).
#include "tests/kernels/expect.h"

__global__ void sum_tile(const float* in, float* out, int n) {
  __shared__ float tile[32];
  const int t = threadIdx.x;
  if (t < n) tile[t] = in[t];
  __syncthreads();
  const float other = tile[31 - t];
  out[t] = other;
}

int main() {
  sum_tile<<<1, 32>>>(OnDevice(Eighths(20)), OnDevice<float>(32), 20);
  cudaDeviceSynchronize();
  return 0;
}
