// SPDX-License-Identifier: Apache-2.0
// warning: barrier_after_exit, line 11
// The same where whole warps return.
#include "tests/kernels/expect.h"

__global__ void reverse(const int* in, int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  if (t >= 64) return;
  tile[t] = in[t];
  __syncthreads();
  out[t] = tile[63 - t];
}

int main() {
  reverse<<<1, 128>>>(OnDevice(Integers(64)), OnDevice<int>(64));
  cudaDeviceSynchronize();
  return 0;
}
