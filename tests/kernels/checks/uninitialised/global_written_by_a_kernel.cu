// SPDX-License-Identifier: Apache-2.0
// clean
// Written by one kernel, byte by byte, copied on the device, read as words by another.
#include "tests/kernels/expect.h"

__global__ void fill(char* out) {
  out[threadIdx.x] = 1;
}
__global__ void copy(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];
}

int main() {
  int *in = OnDevice<int>(32), *middle = OnDevice<int>(32), *out = OnDevice<int>(32);
  fill<<<1, 128>>>(reinterpret_cast<char*>(in));
  CUDA(cudaMemcpy(middle, in, 128, cudaMemcpyDeviceToDevice));
  copy<<<1, 32>>>(middle, out);
  FINISH();
  return 0;
}
