// SPDX-License-Identifier: Apache-2.0
// finding: race, line 16, other 10, access read, object "argument 2"
// The last block sums up what the others wrote; their ticket may overtake the value.
#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  __shared__ bool is_last;
  int* const part = out + 2;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = in[blockIdx.x];
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
