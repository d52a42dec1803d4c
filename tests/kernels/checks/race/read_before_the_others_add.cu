// SPDX-License-Identifier: Apache-2.0
// finding: race, line 13, other 12, object "shared variable `total`"
// The first thread reads the sum, and adds to it: that does not hide the read from the other warps.
#include "tests/kernels/expect.h"

__global__ void sum_up(const int* in, int* out) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();

  // The others' additions are not ordered after the read.
  if (threadIdx.x == 0) out[0] = total;
  if (threadIdx.x % 32 == 0) atomicAdd(&total, in[threadIdx.x]);
  __syncthreads();
  out[threadIdx.x + 1] = total;
}

int main() {
  sum_up<<<1, 128>>>(OnDevice(Integers(128)), OnDevice<int>(129));
  cudaDeviceSynchronize();
  return 0;
}
