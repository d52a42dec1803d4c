// SPDX-License-Identifier: Apache-2.0
// finding: out_of_bounds, line 9, access write
// The address of constant memory from the host, written by a kernel.
#include "tests/kernels/expect.h"

__constant__ int table[32];

__global__ void fill(int* out) {
  out[threadIdx.x] = table[threadIdx.x] + 1;
}

int main() {
  void* address = nullptr;
  CUDA(cudaGetSymbolAddress(&address, table));
  fill<<<1, 32>>>(static_cast<int*>(address));
  cudaDeviceSynchronize();
  return 0;
}
