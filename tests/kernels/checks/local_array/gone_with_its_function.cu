// SPDX-License-Identifier: Apache-2.0
// finding: out_of_bounds, line 15, access read
// A pointer to an array of a function that has returned.
#include "tests/kernels/expect.h"

__device__ __noinline__ int* numbers(int n) {
  int local[8];
  for (int i = 0; i < 8; ++i) local[(i * n) & 7] = i;
  int* volatile gone = local;
  return gone;
}

__global__ void k(const int* in, int* out) {
  int* p = numbers(in[0] | 1);
  out[threadIdx.x] = p[in[1] & 7];
}

int main() {
  k<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
