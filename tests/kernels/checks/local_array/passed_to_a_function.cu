// SPDX-License-Identifier: Apache-2.0
// clean
// A function fills its caller's array, from its middle as well, and calls itself.
#include "tests/kernels/expect.h"

__device__ __noinline__ void fill(int* to, int count) {
  if (count == 0) return;
  int own[4];
  for (int i = 0; i < 4; ++i) own[(i + count) & 3] = count;
  *to = own[count & 3];
  fill(to + 1, count - 1);
}

__global__ void k(const int* in, int* out) {
  int first[8], second[8];
  fill(first, 8);
  fill(second + 3, 5);
  fill(second, 3);
  out[threadIdx.x] = first[in[0] & 7] + second[in[1] & 7];
}

int main() {
  k<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
