// SPDX-License-Identifier: Apache-2.0
// finding: invalid_call
// The same memory is freed twice.
#include "tests/kernels/expect.h"

int main() {
  int* memory = OnDevice<int>(32);
  CUDA(cudaFree(memory));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaFree(memory));
  return 0;
}
