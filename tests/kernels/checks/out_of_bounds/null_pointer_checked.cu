// SPDX-License-Identifier: Apache-2.0
// clean
// A null argument that the kernel asks about first.
#include "tests/kernels/expect.h"

__global__ void fill(int* out) {
  if (out) out[threadIdx.x] = 1;
}

int main() {
  int* out = nullptr;
  fill<<<1, 32>>>(out);
  FINISH();
  return 0;
}
