// SPDX-License-Identifier: Apache-2.0
// finding: race, line 16, other 13, object "shared array `partial`"
// Here thread 1 uses the sum, too, and nothing makes it wait for thread 0: of the loads that the compiler
// lets all threads execute, its one is a race.
#include "tests/kernels/expect.h"

__global__ void sums(const int* in, int* out) {
  __shared__ int partial[64];
  const int t = threadIdx.x;
  partial[t] = in[t];
  for (int stride = 32; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) partial[t] += partial[t + stride];
  }
  int value = 0;
  if (t < 2) value = 3 * partial[0];
  if (t < 2) out[t] = value;
}

int main() {
  sums<<<1, 64>>>(OnDevice(Integers(64)), OnDevice<int>(2));
  cudaDeviceSynchronize();
  return 0;
}
