// SPDX-License-Identifier: Apache-2.0
// finding: use_after_free, line 7, access write
// Two pointers to one allocation; it is freed through one and written through the other.
#include "tests/kernels/expect.h"

__global__ void fill(int* out) {
  out[threadIdx.x] = 1;
}

int main() {
  int *out = OnDevice<int>(32), *alias = out;
  fill<<<1, 32>>>(out);
  CUDA(cudaFree(out));
  fill<<<1, 32>>>(alias);
  cudaDeviceSynchronize();
  return 0;
}
