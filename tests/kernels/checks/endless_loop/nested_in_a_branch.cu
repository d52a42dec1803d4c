// SPDX-License-Identifier: Apache-2.0
// finding: endless_loop
// Each half of the block has an endless loop of its own, one round another loop with a barrier.
#include "tests/kernels/expect.h"

__global__ void k(int* out, int n) {
  const int t = threadIdx.x;
  if (n > 3) {
    while (true) {
      for (int i = 0; i < n; ++i) {
        if (t % 4 == i % 4) out[t] += i;
        __syncthreads();
      }
    }
  }
  while (true) {
    if (t < 7) out[t] += 1;
    __syncthreads();
  }
}

int main() {
  int* out = OnDevice(std::vector<int>(64));
  k<<<1, 64>>>(out, 8);
  cudaDeviceSynchronize();
  return 0;
}
