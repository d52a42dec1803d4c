// SPDX-License-Identifier: Apache-2.0
// finding: trap, line 7
// __trap() where a value is out of range.
#include "tests/kernels/expect.h"

__global__ void check(const int* in) {
  if (in[threadIdx.x] < 0) __trap();
}

int main() {
  check<<<1, 32>>>(OnDevice(std::vector<int>(32, -1)));
  EXPECT_ERROR(cudaErrorLaunchFailure, cudaDeviceSynchronize());
  return 0;
}
