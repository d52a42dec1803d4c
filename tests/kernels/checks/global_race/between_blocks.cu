// SPDX-License-Identifier: Apache-2.0
// finding: race, line 10, other 8, object "argument 2"
// A stencil in place: at its edges a block reads what its neighbour writes. A barrier is of one block.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const int left = out[i - 1];
  __syncthreads();
  out[i] = in[i] + left;
}

int main() {
  k<<<4, 32>>>(OnDevice(Integers(129)), OnDevice(std::vector<int>(129)));
  cudaDeviceSynchronize();
  return 0;
}
