// SPDX-License-Identifier: Apache-2.0
// finding: deadlock
// The halves of warp 0 wait at two barriers of 64 threads; a warp arrives when all its lanes are there, so
// neither barrier ever has two warps.
#include "tests/kernels/expect.h"

__global__ void wait(int* out, int count) {
  const int t = threadIdx.x;
  if (t < 16) {
    asm volatile("barrier.sync 1, %0;" ::"r"(count) : "memory");
  } else if (t < 32) {
    asm volatile("barrier.sync 2, %0;" ::"r"(count) : "memory");
  } else {
    asm volatile("barrier.sync 1, %0; // first" ::"r"(count) : "memory");
    asm volatile("barrier.sync 2, %0; // second" ::"r"(count) : "memory");
  }
  out[t] = t;
}

int main() {
  wait<<<1, 64>>>(OnDevice<int>(64), 64);
  cudaDeviceSynchronize();
  return 0;
}
