// SPDX-License-Identifier: Apache-2.0
// clean
// A loop that waits for a value which another block writes.
#include "tests/kernels/expect.h"

__global__ void wait_for(volatile int* flag) {
  if (blockIdx.x == 1) {
    if (threadIdx.x == 0) atomicExch(const_cast<int*>(flag), 1);
  } else {
    while (atomicAdd(const_cast<int*>(flag), 0) == 0) {
    }
  }
}

int main() {
  wait_for<<<2, 32>>>(OnDevice(std::vector<int>(1)));
  FINISH();
  return 0;
}
