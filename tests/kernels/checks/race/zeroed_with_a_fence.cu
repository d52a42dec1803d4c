// SPDX-License-Identifier: Apache-2.0
// finding: race, line 11, other 9, access atomic, object "shared variable `total`"
// A fence makes nobody wait: here no thread learns that another is past it.
#include "tests/kernels/expect.h"

__global__ void sum_up(const int* in, int* out) {
  __shared__ int total;

  if (threadIdx.x == 0) total = 0;
  __threadfence_block();
  atomicAdd(&total, in[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = total;
}

int main() {
  sum_up<<<1, 128>>>(OnDevice(Integers(128)), OnDevice<int>(1));
  cudaDeviceSynchronize();
  return 0;
}
