// SPDX-License-Identifier: Apache-2.0
// clean
// Each warp has a step of its own, and all go round as often.
#include "tests/kernels/expect.h"

__global__ void k(int* out, int n) {
  const int t = threadIdx.x, step = 1 + t / 32;
  for (int i = 0; i < n * step; i += step) {
    __syncthreads();
    if (t % 3 == 0) out[t] += 1;
  }
}

int main() {
  int* out = OnDevice(std::vector<int>(64));
  k<<<1, 64>>>(out, 9);
  FINISH();
  ExpectEqual("out", 63, FromDevice(out, 64)[63], 9);
  return Result();
}
