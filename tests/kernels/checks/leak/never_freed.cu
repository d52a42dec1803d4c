// SPDX-License-Identifier: Apache-2.0
// warning: leak
// Two arrays of three are not freed.
#include "tests/kernels/expect.h"

int main() {
  void *a, *b, *c;
  CUDA(cudaMalloc(&a, 1000));
  CUDA(cudaMalloc(&b, 24));
  CUDA(cudaMallocManaged(&c, 4096));
  CUDA(cudaFree(a));
  return 0;
}
