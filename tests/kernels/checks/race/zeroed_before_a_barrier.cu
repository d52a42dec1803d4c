// SPDX-License-Identifier: Apache-2.0
// clean
// Behind the barrier all warps' additions are behind the store of the 0, the first thread's own in between,
// too.
#include "tests/kernels/expect.h"

__global__ void sum_up(const int* in, int* out) {
  __shared__ int total;
  if (threadIdx.x == 0) {
    total = 0;
    atomicAdd(&total, in[0]);
  }
  __syncthreads();
  atomicAdd(&total, in[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = total;
}

int main() {
  sum_up<<<1, 128>>>(OnDevice(Integers(128)), OnDevice<int>(1));
  FINISH();
  return 0;
}
