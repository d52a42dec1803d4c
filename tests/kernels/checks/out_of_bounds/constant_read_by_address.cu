// SPDX-License-Identifier: Apache-2.0
// clean
// The same address, read.
#include "tests/kernels/expect.h"

__constant__ int table[32] = {1, 2, 3};

__global__ void copy(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x] + table[threadIdx.x];
}

int main() {
  void* address = nullptr;
  int* out = OnDevice<int>(32);
  CUDA(cudaGetSymbolAddress(&address, table));
  copy<<<1, 32>>>(static_cast<const int*>(address), out);
  FINISH();
  return 0;
}
