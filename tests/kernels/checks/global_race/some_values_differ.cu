// SPDX-License-Identifier: Apache-2.0
// finding: race, line 8, access write, object "argument 1"
// All blocks scale the same elements. Of the first one, which is 0, all store the same; not so of the others.
#include "tests/kernels/expect.h"

__global__ void scale(float* a, int n) {
  const int i = threadIdx.x;  // The block is forgotten.
  if (i < n) a[i] *= 2;
}

int main() {
  float* a = OnDevice(Eighths(256));
  scale<<<4, 64>>>(a, 256);
  cudaDeviceSynchronize();
  return 0;
}
