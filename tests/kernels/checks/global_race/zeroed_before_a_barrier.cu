// SPDX-License-Identifier: Apache-2.0
// clean
// Behind the barrier all warps' additions are behind the store of the 0, the first warp's own in between,
// too.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  const int lane = threadIdx.x % 32;
  if (threadIdx.x == 0) {
    out[blockIdx.x] = 0;
    atomicAdd(&out[blockIdx.x], in[0]);
  }
  __syncthreads();
  if (lane == 0) atomicAdd(&out[blockIdx.x], in[threadIdx.x]);
}

int main() {
  k<<<3, 128>>>(OnDevice(Integers(128)), OnDevice(std::vector<int>(3)));
  cudaDeviceSynchronize();
  return 0;
}
