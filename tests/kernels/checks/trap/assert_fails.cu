// SPDX-License-Identifier: Apache-2.0
// finding: trap, line 10
// assert() of what does not hold for the last thread.
#undef NDEBUG
#include <cassert>

#include "tests/kernels/expect.h"

__global__ void check(const int* in) {
  assert(in[threadIdx.x] != 31);
}

int main() {
  std::vector<int> in(32);
  for (int i = 0; i < 32; ++i) in[i] = i;
  check<<<1, 32>>>(OnDevice(in));
  EXPECT_ERROR(cudaErrorAssert, cudaDeviceSynchronize());
  return 0;
}
