// SPDX-License-Identifier: Apache-2.0
// clean
// A barrier in a branch that the whole block takes.
#include "tests/kernels/expect.h"

__global__ void add(const int* in, int* out, int n) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = in[t];
  if (n > 10) {
    __syncthreads();
    out[t] = tile[63 - t] + 1;
  }
}

int main() {
  add<<<1, 64>>>(OnDevice(Integers(64)), OnDevice<int>(64), 64);
  FINISH();
  return 0;
}
