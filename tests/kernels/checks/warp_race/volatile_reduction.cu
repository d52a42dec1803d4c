// SPDX-License-Identifier: Apache-2.0
// finding: race, line 15, other 14, object "shared array `part`"
// The last warp of a reduction as it was written before compute capability 7.0: volatile, and nothing between
// the steps.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  __shared__ int part[64];
  const int t = threadIdx.x;
  part[t] = in[t];
  __syncthreads();
  if (t < 32) {
    volatile int* v = part;
    v[t] += v[t + 32];
    v[t] += v[t + 16];
  }
  __syncthreads();
  if (t == 0) *out = part[0] + part[1];
}

int main() {
  k<<<1, 64>>>(OnDevice(Integers(64)), OnDevice<int>(1));
  cudaDeviceSynchronize();
  return 0;
}
