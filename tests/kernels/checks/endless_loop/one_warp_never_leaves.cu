// SPDX-License-Identifier: Apache-2.0
// finding: endless_loop, line 11
// warning: barrier_after_exit, line 12
// The step of one warp is 0: it stays in the loop, and the other returns.
#include "tests/kernels/expect.h"

__global__ void k(int* out, int n) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = 0;
  for (int i = t % 32; i < n; i += 32 * (t / 32)) {
    __syncthreads();
    if (t % 3 == 0) tile[t] += i;
  }
  out[t] = tile[t];
}

int main() {
  k<<<1, 64>>>(OnDevice<int>(64), 64);
  cudaDeviceSynchronize();
  return 0;
}
