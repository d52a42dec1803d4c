// SPDX-License-Identifier: Apache-2.0
// clean
// Freed, allocated again, and used through the new pointer.
#include "tests/kernels/expect.h"

__global__ void fill(int* out) {
  out[threadIdx.x] = 1;
}

int main() {
  int* out = OnDevice<int>(32);
  for (int i = 0; i < 5; ++i) {
    fill<<<1, 32>>>(out);
    CUDA(cudaFree(out));
    out = OnDevice<int>(32);
  }
  fill<<<1, 32>>>(out);
  FINISH();
  return 0;
}
