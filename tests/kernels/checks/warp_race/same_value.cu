// SPDX-License-Identifier: Apache-2.0
// warning: race, line 10, access write, object "shared variable `found`"
// Several lanes store the same value into one element.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  __shared__ int found;
  if (threadIdx.x == 0) found = 0;
  __syncwarp();
  if (in[threadIdx.x] > 0) found = 1;
  __syncwarp();
  out[threadIdx.x] = found;
}

int main() {
  k<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
