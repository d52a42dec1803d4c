// SPDX-License-Identifier: Apache-2.0
// clean
// The same with __syncthreads(), which orders global memory within the block.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  const int t = threadIdx.x;
  out[t] = in[t];
  __syncthreads();
  out[64 + t] = out[63 - t];
}

int main() {
  k<<<1, 64>>>(OnDevice(Integers(64)), OnDevice(std::vector<int>(128)));
  cudaDeviceSynchronize();
  return 0;
}
