// SPDX-License-Identifier: Apache-2.0
// clean
// One thread sets it to zero, a barrier follows.
#include "tests/kernels/expect.h"

__global__ void count(const int* in, int* out) {
  __shared__ int counter;
  if (threadIdx.x == 0) counter = 0;
  __syncthreads();
  if (in[threadIdx.x] > 0) atomicAdd(&counter, 1);
  __syncthreads();
  if (threadIdx.x == 0) *out = counter;
}

int main() {
  count<<<1, 32>>>(OnDevice(std::vector<int>(32, 1)), OnDevice<int>(1));
  FINISH();
  return 0;
}
