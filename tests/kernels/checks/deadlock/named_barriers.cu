// SPDX-License-Identifier: Apache-2.0
// clean
// Producer and consumer warps by named barriers.
#include "tests/kernels/expect.h"

__global__ void hand_over(int* out) {
  __shared__ int value[32];
  const int t = threadIdx.x;
  if (t < 32) {
    value[t] = t;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[t - 32] = value[63 - t];
  }
}

int main() {
  int* out = OnDevice<int>(32);
  hand_over<<<1, 64>>>(out);
  FINISH();
  const auto got = FromDevice(out, 32);
  for (int i = 0; i < 32; ++i) ExpectEqual("out", i, got[i], 31 - i);
  return Result();
}
