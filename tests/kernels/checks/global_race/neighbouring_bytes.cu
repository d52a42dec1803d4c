// SPDX-License-Identifier: Apache-2.0
// clean
// Blocks write neighbouring bytes of one word, and halves of one.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, char* out) {
  out[blockIdx.x + 4 * threadIdx.x] = in[threadIdx.x] > 0;
  reinterpret_cast<short*>(out + 128)[2 * threadIdx.x + blockIdx.x % 2 + 64 * (blockIdx.x / 2)] = 1;
}

int main() {
  k<<<4, 32>>>(OnDevice(Integers(32)), OnDevice(std::vector<char>(512)));
  cudaDeviceSynchronize();
  return 0;
}
