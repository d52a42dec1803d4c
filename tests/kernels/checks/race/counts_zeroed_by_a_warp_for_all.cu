// SPDX-License-Identifier: Apache-2.0
// finding: race, line 12, other 9, access atomic, object "shared array `counts`"
// A __syncwarp() orders the lanes of the warp that stores the zeros, and of no other.
#include "tests/kernels/expect.h"

__global__ void count(const int* in, int* out) {
  __shared__ int counts[32];

  if (threadIdx.x < 32) counts[threadIdx.x] = 0;
  __syncwarp();
  // Other lanes than those that stored the zeros are the first to count here.
  atomicAdd(&counts[(threadIdx.x + 1) % 32], in[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = counts[threadIdx.x];
}

int main() {
  count<<<1, 64>>>(OnDevice(Integers(64)), OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
