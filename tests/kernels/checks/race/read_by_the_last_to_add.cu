// SPDX-License-Identifier: Apache-2.0
// finding: race, line 11, other 10, object "shared array `counts`"
// Each thread reads a sum to which all warps add. That of the last to add hides none of the others'.
#include "tests/kernels/expect.h"

__global__ void count(const int* in, int* out) {
  __shared__ int counts[32];
  if (threadIdx.x < 32) counts[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&counts[threadIdx.x % 32], in[threadIdx.x]);
  if (threadIdx.x >= 32) out[threadIdx.x] = counts[threadIdx.x % 32];
}

int main() {
  count<<<1, 64>>>(OnDevice(Integers(64)), OnDevice<int>(64));
  cudaDeviceSynchronize();
  return 0;
}
