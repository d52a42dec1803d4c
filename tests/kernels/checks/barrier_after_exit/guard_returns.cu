// SPDX-License-Identifier: Apache-2.0
// warning: barrier_after_exit, line 11
// Threads outside the array return before the barrier that the others wait at.
#include "tests/kernels/expect.h"

__global__ void reverse(const int* in, int* out, int n) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  if (t >= n) return;
  tile[t] = in[t];
  __syncthreads();
  out[t] = tile[n - 1 - t];
}

int main() {
  reverse<<<1, 128>>>(OnDevice(Integers(100)), OnDevice<int>(100), 100);
  cudaDeviceSynchronize();
  return 0;
}
