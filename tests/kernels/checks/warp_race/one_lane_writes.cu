// SPDX-License-Identifier: Apache-2.0
// clean
// One lane stores, after a vote of all.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  __shared__ int found;
  const bool any = __any_sync(0xffffffff, in[threadIdx.x] > 0);
  if (threadIdx.x == 0) found = any;
  __syncwarp();
  out[threadIdx.x] = found;
}

int main() {
  k<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
