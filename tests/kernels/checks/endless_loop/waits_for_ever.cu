// SPDX-License-Identifier: Apache-2.0
// finding: endless_loop
// A loop that waits for a value which nobody writes.
#include "tests/kernels/expect.h"

__global__ void wait_for(volatile int* flag) {
  while (*flag == 0) {
  }
}

int main() {
  wait_for<<<1, 32>>>(OnDevice(std::vector<int>(1)));
  cudaDeviceSynchronize();
  return 0;
}
