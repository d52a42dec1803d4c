// SPDX-License-Identifier: Apache-2.0
// clean
// Each allocation has its cudaFree or cudaFreeHost.
#include "tests/kernels/expect.h"

int main() {
  void *a, *b, *c;
  CUDA(cudaMalloc(&a, 1000));
  CUDA(cudaMallocManaged(&b, 24));
  CUDA(cudaMallocHost(&c, 4096));
  CUDA(cudaFree(a));
  CUDA(cudaFree(b));
  CUDA(cudaFreeHost(c));
  return 0;
}
