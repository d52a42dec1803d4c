// SPDX-License-Identifier: Apache-2.0
// clean
// The guide's way to make an atomic of one's own: look, then compare and swap.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
  int seen = *out, assumed;
  do {
    assumed = seen;
    seen = atomicCAS(out, assumed, max(assumed, value));
  } while (seen != assumed);
}

int main() {
  k<<<4, 32>>>(OnDevice(Integers(128)), OnDevice(std::vector<int>(1)));
  cudaDeviceSynchronize();
  return 0;
}
