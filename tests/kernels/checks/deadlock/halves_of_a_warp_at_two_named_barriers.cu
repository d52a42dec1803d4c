// SPDX-License-Identifier: Apache-2.0
// clean
// Both halves of warp 0 come to both barriers, in branches of their own.
#include "tests/kernels/expect.h"

__global__ void wait(int* out, int count) {
  const int t = threadIdx.x;
  if (t < 16) {
    asm volatile("barrier.sync 1, %0; // low" ::"r"(count) : "memory");
    asm volatile("barrier.sync 2, %0; // low" ::"r"(count) : "memory");
  } else if (t < 32) {
    asm volatile("barrier.sync 1, %0; // high" ::"r"(count) : "memory");
    asm volatile("barrier.sync 2, %0; // high" ::"r"(count) : "memory");
  } else {
    asm volatile("barrier.sync 1, %0; // first" ::"r"(count) : "memory");
    asm volatile("barrier.sync 2, %0; // second" ::"r"(count) : "memory");
  }
  out[t] = t;
}

int main() {
  int* out = OnDevice<int>(64);
  wait<<<1, 64>>>(out, 64);
  FINISH();
  ExpectEqual("out", 63, FromDevice(out, 64)[63], 63);
  return Result();
}
