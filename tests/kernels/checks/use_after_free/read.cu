// SPDX-License-Identifier: Apache-2.0
// finding: use_after_free, line 7, access read
// The input is freed before the kernel that reads it is launched.
#include "tests/kernels/expect.h"

__global__ void copy(const int* in, int* out) {
  const int value = in[threadIdx.x];
  out[threadIdx.x] = value;
}

int main() {
  int *in = OnDevice(Integers(32)), *out = OnDevice<int>(32);
  CUDA(cudaFree(in));
  copy<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  return 0;
}
