// SPDX-License-Identifier: Apache-2.0
// finding: race, line 13, other 11, object "shared variable `counter`"
// A plain read of a counter that other warps count up atomically.
#include "tests/kernels/expect.h"

__global__ void count(int* out) {
  __shared__ int counter;
  if (threadIdx.x == 0) counter = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    atomicAdd(&counter, 1);
  } else {
    out[threadIdx.x] = counter;
  }
}

int main() {
  count<<<1, 64>>>(OnDevice<int>(64));
  cudaDeviceSynchronize();
  return 0;
}
