// SPDX-License-Identifier: Apache-2.0
// clean
// Copies up to the end of the allocation, from its middle, and of nothing.
#include "tests/kernels/expect.h"

int main() {
  const std::vector<int> numbers = Integers(64);
  int* memory = OnDevice<int>(64);
  CUDA(cudaMemcpy(memory, numbers.data(), 64 * sizeof(int), cudaMemcpyHostToDevice));
  CUDA(cudaMemcpy(memory + 32, numbers.data(), 32 * sizeof(int), cudaMemcpyHostToDevice));
  CUDA(cudaMemcpy(memory + 64, numbers.data(), 0, cudaMemcpyHostToDevice));
  return 0;
}
