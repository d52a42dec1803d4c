// SPDX-License-Identifier: Apache-2.0
// clean
// cudaFree waits for the kernel.
#include "tests/kernels/expect.h"

__global__ void copy(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];
}

int main() {
  int *in = OnDevice(Integers(32)), *out = OnDevice<int>(32);
  copy<<<1, 32>>>(in, out);
  CUDA(cudaFree(in));
  FINISH();
  return 0;
}
