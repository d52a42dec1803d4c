// SPDX-License-Identifier: Apache-2.0
// finding: race, line 12, other 11, object "shared variable `total`"
// All lanes add to one sum; one of them sets it back without waiting for the others.
#include "tests/kernels/expect.h"

__global__ void sum_up(const int* in, int* out) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();

  atomicAdd(&total, in[threadIdx.x]);
  if (threadIdx.x == 31) total = 0;
  __syncthreads();
  out[threadIdx.x] = total;
}

int main() {
  sum_up<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
