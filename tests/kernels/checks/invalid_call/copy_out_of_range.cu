// SPDX-License-Identifier: Apache-2.0
// finding: invalid_call
// A copy that is longer than the allocation.
#include "tests/kernels/expect.h"

int main() {
  const std::vector<int> numbers = Integers(64);
  int* memory = OnDevice<int>(32);
  EXPECT_ERROR(cudaErrorInvalidValue,
               cudaMemcpy(memory, numbers.data(), 64 * sizeof(int), cudaMemcpyHostToDevice));
  return 0;
}
