// SPDX-License-Identifier: Apache-2.0
// finding: out_of_bounds, line 8, access write, object "argument 1"
// Over the end of one allocation by as much as leads into the next (compute-sanitizer misses it).
#include "tests/kernels/expect.h"

__global__ void fill(float* a, float* b, long long distance) {
  b[threadIdx.x] = 1;
  a[distance] = 2;
}

int main() {
  float *a = OnDevice<float>(256), *b = OnDevice<float>(256);
  fill<<<1, 32>>>(a, b, 300);
  cudaDeviceSynchronize();
  return 0;
}
