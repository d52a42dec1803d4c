// SPDX-License-Identifier: Apache-2.0
// clean
// The same from one array into another.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  out[i] = in[i] + in[i - 1];
}

int main() {
  k<<<4, 32>>>(OnDevice(Integers(129)), OnDevice(std::vector<int>(129)));
  cudaDeviceSynchronize();
  return 0;
}
