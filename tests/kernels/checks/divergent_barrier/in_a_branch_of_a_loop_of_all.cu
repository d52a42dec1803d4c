// SPDX-License-Identifier: Apache-2.0
// clean
// A loop that only a return leaves, with its barrier in a branch that all threads take in every other round.
#include "tests/kernels/expect.h"

__global__ void k(int* out, int n) {
  const int t = threadIdx.x;
  for (int i = 0;; ++i) {
    if (i % 2 == 0) {
      __syncthreads();
    }
    if (t % 2 == 0) out[t] += 1;
    if (i == n) return;
  }
}

int main() {
  int* out = OnDevice(std::vector<int>(64));
  k<<<1, 64>>>(out, 8);
  FINISH();
  for (int t = 0; t < 64; ++t) ExpectEqual("out", t, FromDevice(out, 64)[t], t % 2 == 0 ? 9 : 0);
  return Result();
}
