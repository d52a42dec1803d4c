// SPDX-License-Identifier: Apache-2.0
// clean
// The same with an index that fits.
#include "tests/kernels/expect.h"

__device__ int histogram[16];
__device__ int other[16];

__global__ void count(const int* in) {
  atomicAdd(&other[in[threadIdx.x] & 15], 1);
  atomicAdd(&histogram[in[threadIdx.x] & 15], 1);
}

int main() {
  count<<<1, 32>>>(OnDevice(Integers(32)));
  FINISH();
  return 0;
}
