// SPDX-License-Identifier: Apache-2.0
// clean
// __trap() that no thread reaches.
#include "tests/kernels/expect.h"

__global__ void check(const int* in) {
  if (in[threadIdx.x] < 0) __trap();
}

int main() {
  check<<<1, 32>>>(OnDevice(std::vector<int>(32, 1)));
  FINISH();
  return 0;
}
