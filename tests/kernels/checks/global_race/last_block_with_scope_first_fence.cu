// SPDX-License-Identifier: Apache-2.0
// clean
// The fence between the value and the ticket as CUDA 12.9's <cuda/atomic> spells it, the scope in front.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  __shared__ bool is_last;
  int* const part = out + 2;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = in[blockIdx.x];
    asm volatile("fence.gpu.sc;" ::: "memory");
    is_last = atomicAdd(&out[1], 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last && threadIdx.x == 0) {
    int sum = 0;
    for (int b = 0; b < gridDim.x; ++b) sum += part[b];
    out[0] = sum;
    out[1] = 0;
  }
}

int main() {
  k<<<4, 32>>>(OnDevice(Integers(4)), OnDevice(std::vector<int>(6)));
  cudaDeviceSynchronize();
  return 0;
}
