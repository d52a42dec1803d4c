// SPDX-License-Identifier: Apache-2.0
// clean
// Freed once; and freeing a null pointer does nothing.
#include "tests/kernels/expect.h"

int main() {
  int* memory = OnDevice<int>(32);
  CUDA(cudaFree(memory));
  memory = nullptr;
  CUDA(cudaFree(memory));
  return 0;
}
