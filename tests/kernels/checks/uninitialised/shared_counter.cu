// SPDX-License-Identifier: Apache-2.0
// finding: uninitialised, line 8, object "shared variable `counter`"
// A shared counter that nobody sets to zero before it is counted up.
#include "tests/kernels/expect.h"

__global__ void count(const int* in, int* out) {
  __shared__ int counter;
  if (in[threadIdx.x] > 0) atomicAdd(&counter, 1);
  __syncthreads();
  if (threadIdx.x == 0) *out = counter;
}

int main() {
  count<<<1, 32>>>(OnDevice(std::vector<int>(32, 1)), OnDevice<int>(1));
  cudaDeviceSynchronize();
  return 0;
}
