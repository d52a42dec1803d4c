// SPDX-License-Identifier: Apache-2.0
// clean
// All threads go round as often; only the work in the loop depends on the thread.
#include "tests/kernels/expect.h"

__global__ void rounds(int* out, int n) {
  __shared__ int tile[32];
  const int t = threadIdx.x;
  tile[t] = 0;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    if (i <= t % 2) tile[t] += i;
    __syncthreads();
  }
  out[t] = tile[31 - t];
}

int main() {
  rounds<<<1, 32>>>(OnDevice<int>(32), 5);
  FINISH();
  return 0;
}
