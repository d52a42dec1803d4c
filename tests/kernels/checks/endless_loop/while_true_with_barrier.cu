// SPDX-License-Identifier: Apache-2.0
// finding: endless_loop, line 9
// No path leaves the loop; parts of each warp work between its two barriers.
#include "tests/kernels/expect.h"

__global__ void k(int* out, int n) {
  const int t = threadIdx.x;
  while (true) {
    __syncthreads();
    if (t == 0) out[0] += n;
    if (t % 2 == 1) out[t] = n;
    __syncthreads();
  }
}

int main() {
  k<<<1, 64>>>(OnDevice(std::vector<int>(64)), 1);
  cudaDeviceSynchronize();
  return 0;
}
