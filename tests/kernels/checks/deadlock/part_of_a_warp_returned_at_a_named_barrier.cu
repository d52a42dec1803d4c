// SPDX-License-Identifier: Apache-2.0
// clean
// All lanes of warp 0 but one have returned: that one is the warp.
#include "tests/kernels/expect.h"

__global__ void wait(int* out, int count) {
  const int t = threadIdx.x;
  if (t < 31) return;
  asm volatile("barrier.sync 1, %0;" ::"r"(count) : "memory");
  out[t] = t;
}

int main() {
  int* out = OnDevice<int>(64);
  wait<<<1, 64>>>(out, 64);
  FINISH();
  ExpectEqual("out", 63, FromDevice(out + 31, 33)[32], 63);
  return Result();
}
