// SPDX-License-Identifier: Apache-2.0
// finding: race, line 12, other 11, object "shared array `tile`"
// All lanes of a warp read one element, and lane 0 then writes it: it races with the others, not with itself.
#include "tests/kernels/expect.h"

__global__ void shift(const int* in, int* out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  out[t] = tile[in[0] & 7];
  if (t == 0) tile[in[0] & 7] = 1;
  __syncthreads();
  out[t] += tile[t];
}

int main() {
  shift<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
