// SPDX-License-Identifier: Apache-2.0
// finding: uninitialised, line 7, access read, object "argument 1"
// The copy counts elements where bytes are asked for: a quarter of the input arrives.
#include "tests/kernels/expect.h"

__global__ void copy(const int* in, int* out) {
  const int value = in[threadIdx.x];
  out[threadIdx.x] = value;
}

int main() {
  const std::vector<int> numbers = Integers(64);
  int *in = OnDevice<int>(64), *out = OnDevice<int>(64);
  CUDA(cudaMemcpy(in, numbers.data(), 64, cudaMemcpyHostToDevice));
  copy<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  return 0;
}
