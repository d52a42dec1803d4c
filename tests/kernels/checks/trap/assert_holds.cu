// SPDX-License-Identifier: Apache-2.0
// clean
// assert() of what holds.
#undef NDEBUG
#include <cassert>

#include "tests/kernels/expect.h"

__global__ void check(const int* in) {
  assert(in[threadIdx.x] != 32);
}

int main() {
  check<<<1, 32>>>(OnDevice(std::vector<int>(32)));
  FINISH();
  return 0;
}
