// SPDX-License-Identifier: Apache-2.0
// finding: endless_loop
// warning: division_by_zero, line 10
// A stride of zero never ends the loop. nvcc divides by it as well, to unroll the loop by the number of its
// rounds.
#include "tests/kernels/expect.h"

__global__ void sum(const int* in, int* out, int stride) {
  int sum = 0;
  for (int i = threadIdx.x; i < 1000; i += stride) sum += in[i % 32];
  out[threadIdx.x] = sum;
}

int main() {
  sum<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(32), 0);
  cudaDeviceSynchronize();
  return 0;
}
