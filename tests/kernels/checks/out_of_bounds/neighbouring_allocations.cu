// SPDX-License-Identifier: Apache-2.0
// clean
// Two allocations, each filled to its end.
#include "tests/kernels/expect.h"

__global__ void fill(float* a, float* b) {
  b[threadIdx.x] = 1;
  a[threadIdx.x] = 2;
}

int main() {
  float *a = OnDevice<float>(256), *b = OnDevice<float>(256);
  fill<<<1, 256>>>(a, b);
  FINISH();
  return 0;
}
