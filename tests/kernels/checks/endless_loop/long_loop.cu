// SPDX-License-Identifier: Apache-2.0
// clean
// A loop that takes long, and ends.
#include "tests/kernels/expect.h"

__global__ void collatz(int* out) {
  int longest = 0;
  for (unsigned start = 1 + threadIdx.x; start < 3000; start += 32) {
    int steps = 0;
    for (unsigned long long n = start; n != 1; n = n % 2 ? 3 * n + 1 : n / 2) ++steps;
    longest = max(longest, steps);
  }
  atomicMax(out, longest);
}

int main() {
  int* out = OnDevice(std::vector<int>(1));
  collatz<<<1, 32>>>(out);
  FINISH();
  ExpectEqual("longest", 0, FromDevice(out, 1)[0], 216);
  return Result();
}
