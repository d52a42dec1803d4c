// SPDX-License-Identifier: Apache-2.0
// clean
// All of them count up atomically; the plain read comes after a barrier.
#include "tests/kernels/expect.h"

__global__ void count(int* out) {
  __shared__ int counter;
  if (threadIdx.x == 0) counter = 0;
  __syncthreads();
  atomicAdd(&counter, 1);
  __syncthreads();
  out[threadIdx.x] = counter;
}

int main() {
  count<<<1, 64>>>(OnDevice<int>(64));
  FINISH();
  return 0;
}
