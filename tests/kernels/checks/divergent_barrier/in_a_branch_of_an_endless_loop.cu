// SPDX-License-Identifier: Apache-2.0
// finding: divergent_barrier, line 11
// finding: endless_loop
// Half of each warp skips the barrier, in a loop that no path leaves.
#include "tests/kernels/expect.h"

__global__ void k(int* out) {
  const int t = threadIdx.x;
  while (true) {
    if (t % 2 == 0) {
      __syncthreads();
    }
    out[t] += 1;
  }
}

int main() {
  k<<<1, 64>>>(OnDevice(std::vector<int>(64)));
  cudaDeviceSynchronize();
  return 0;
}
