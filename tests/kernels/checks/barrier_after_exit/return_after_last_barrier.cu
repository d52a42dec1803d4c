// SPDX-License-Identifier: Apache-2.0
// clean
// Threads that return after the last barrier, and a block that returns as a whole.
#include "tests/kernels/expect.h"

__global__ void reverse(const int* in, int* out) {
  __shared__ int tile[64];
  if (blockIdx.x == 1) return;
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  if (t >= 32) return;
  out[t] = tile[63 - t];
}

int main() {
  reverse<<<2, 64>>>(OnDevice(Integers(64)), OnDevice<int>(64));
  FINISH();
  return 0;
}
