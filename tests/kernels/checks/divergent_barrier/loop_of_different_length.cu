// SPDX-License-Identifier: Apache-2.0
// finding: divergent_barrier, line 15
// warning: barrier_after_exit, line 15
// Lanes of one warp go round a loop with a barrier in it a different number of times; then those that went
// round less often return.
#include "tests/kernels/expect.h"

__global__ void rounds(int* out) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  tile[t] = 0;
#pragma unroll 1
  for (int i = 0; i <= t % 2; ++i) {
    tile[t] += i;
    __syncthreads();
  }
  out[t] = tile[t];
}

int main() {
  rounds<<<1, 32>>>(OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
