// SPDX-License-Identifier: Apache-2.0
// finding: out_of_bounds, line 11, access write, object "shared array `first`"
// One past the end of a shared array, where another array lies (compute-sanitizer misses it).
#include "tests/kernels/expect.h"

__global__ void shift(const int* in, int* out) {
  __shared__ int first[33];
  __shared__ int second[33];
  const int t = threadIdx.x;
  second[t] = in[t];
  first[t + 2] = in[t];
  if (t < 2) first[t] = 0;
  __syncthreads();
  out[t] = first[t] + second[t];
}

int main() {
  int *in = OnDevice(Integers(32)), *out = OnDevice<int>(32);
  shift<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  return 0;
}
