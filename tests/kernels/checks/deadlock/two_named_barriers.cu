// SPDX-License-Identifier: Apache-2.0
// finding: deadlock
// Each of two warps waits at a named barrier of its own that 64 threads must reach.
#include "tests/kernels/expect.h"

__global__ void wait(int* out) {
  const int t = threadIdx.x;
  if (t < 32) {
    asm volatile("bar.sync 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 2, 64;" ::: "memory");
  }
  out[t] = t;
}

int main() {
  wait<<<1, 64>>>(OnDevice<int>(64));
  cudaDeviceSynchronize();
  return 0;
}
