// SPDX-License-Identifier: Apache-2.0
// clean
// 48 KB, and 49 KB after asking.
#include "tests/kernels/expect.h"

__global__ void fill(int* out) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = 1;
  out[threadIdx.x] = tile[threadIdx.x];
}

int main() {
  int* out = OnDevice<int>(32);
  fill<<<1, 32, 48 * 1024>>>(out);
  CUDA(cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 49 * 1024));
  fill<<<1, 32, 49 * 1024>>>(out);
  FINISH();
  return 0;
}
