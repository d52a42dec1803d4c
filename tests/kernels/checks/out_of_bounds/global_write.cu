// SPDX-License-Identifier: Apache-2.0
// finding: out_of_bounds, line 7, access write, object "argument 1"
// <= where < is meant: one element too many.
#include "tests/kernels/expect.h"

__global__ void fill(int* out, int n) {
  for (int i = threadIdx.x; i <= n; i += blockDim.x) out[i] = i;
}

int main() {
  int* out = OnDevice<int>(64);
  fill<<<1, 32>>>(out, 64);
  cudaDeviceSynchronize();
  return 0;
}
