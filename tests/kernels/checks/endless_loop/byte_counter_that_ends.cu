// SPDX-License-Identifier: Apache-2.0
// clean
// A byte counts as far as it can.
#include "tests/kernels/expect.h"

__global__ void k(int* out, int tiles) {
  const int t = threadIdx.x;
  for (unsigned char i = 0; i < tiles; ++i) {
    if (t < 16) out[t] += i;
    __syncthreads();
  }
}

int main() {
  int* out = OnDevice(std::vector<int>(64));
  k<<<1, 64>>>(out, 255);
  FINISH();
  ExpectEqual("out", 0, FromDevice(out, 1)[0], 254 * 255 / 2);
  return Result();
}
