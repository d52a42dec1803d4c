// SPDX-License-Identifier: Apache-2.0
// clean
// The mask is the ballot of who enters the branch.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  int value = in[threadIdx.x];
  const unsigned enter = __ballot_sync(0xffffffff, threadIdx.x < 16);
  if (threadIdx.x < 16) value += __shfl_xor_sync(enter, value, 1);
  __syncthreads();
  out[threadIdx.x] = value;
}

int main() {
  k<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
