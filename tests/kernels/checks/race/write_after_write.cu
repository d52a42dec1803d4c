// SPDX-License-Identifier: Apache-2.0
// finding: race, line 8, access write, object "shared variable `last`"
// Every warp writes its own value into one element.
#include "tests/kernels/expect.h"

__global__ void keep_last(const int* in, int* out) {
  __shared__ int last;
  last = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) *out = last;
}

int main() {
  keep_last<<<1, 64>>>(OnDevice(Integers(64)), OnDevice<int>(1));
  cudaDeviceSynchronize();
  return 0;
}
