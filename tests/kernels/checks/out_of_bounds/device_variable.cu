// SPDX-License-Identifier: Apache-2.0
// finding: out_of_bounds, line 12, access write, object "histogram"
// warning: race, line 12, access write, object "histogram"
// A __device__ array that has a neighbour.
#include "tests/kernels/expect.h"

__device__ int histogram[16];
__device__ int other[16];

__global__ void count(const int* in) {
  atomicAdd(&other[in[threadIdx.x] & 15], 1);
  histogram[in[threadIdx.x] & 31] = 1;
}

int main() {
  std::vector<int> in(32);
  for (int i = 0; i < 32; ++i) in[i] = i == 31 ? 16 : 3;
  count<<<1, 32>>>(OnDevice(in));
  cudaDeviceSynchronize();
  return 0;
}
