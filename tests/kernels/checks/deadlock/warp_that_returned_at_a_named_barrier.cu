// SPDX-License-Identifier: Apache-2.0
// finding: deadlock
// The barrier asks for 64 threads, and one of the block's two warps has returned.
#include "tests/kernels/expect.h"

__global__ void wait(int* out, int count) {
  const int t = threadIdx.x;
  if (t < 32) return;
  asm volatile("barrier.sync 1, %0;" ::"r"(count) : "memory");
  out[t] = t;
}

int main() {
  wait<<<1, 64>>>(OnDevice<int>(64), 64);
  cudaDeviceSynchronize();
  return 0;
}
