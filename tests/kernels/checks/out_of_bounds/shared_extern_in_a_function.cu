// SPDX-License-Identifier: Apache-2.0
// clean
// The dynamic array is declared by a function that the kernel calls, beside an array of the kernel's own.
#include "tests/kernels/expect.h"

__device__ __noinline__ int* Buffer() {
  extern __shared__ int buffer[];
  return buffer;
}

__global__ void reverse(const int* in, int* out) {
  __shared__ int tile[16];
  const int t = threadIdx.x;
  int* buffer = Buffer();
  buffer[t] = in[t];
  if (t < 16) tile[t] = t;
  __syncthreads();
  out[t] = buffer[63 - t] + tile[t % 16];
}

int main() {
  int *in = OnDevice(Integers(64)), *out = OnDevice<int>(64);
  reverse<<<1, 64, 64 * sizeof(int)>>>(in, out);
  FINISH();
  return 0;
}
