// SPDX-License-Identifier: Apache-2.0
// finding: mask_without_lane, line 9
// finding: mask_without_lane, line 17
// All 32 lanes shuffle with a mask of 16, or of one.
#include "tests/kernels/expect.h"

__global__ void half(const int* in, int* out) {
  int value = in[threadIdx.x];
  for (int delta = 8; delta > 0; delta /= 2) value += __shfl_down_sync(0xffff, value, delta);
  if (threadIdx.x == 0) *out = value;
}

__global__ void first(const int* in, int* out, unsigned mask) {
  int value = in[threadIdx.x];
  out[threadIdx.x] =
      // The first lane's value to all.
      __shfl_sync(mask, value, 0);
}

int main() {
  half<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(1));
  first<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(32), 1);
  cudaDeviceSynchronize();
  return 0;
}
