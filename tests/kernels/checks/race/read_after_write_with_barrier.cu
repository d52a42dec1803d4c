// SPDX-License-Identifier: Apache-2.0
// clean
// With it.
#include "tests/kernels/expect.h"

__global__ void reverse(const int* in, int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  out[t] = tile[63 - t];
}

int main() {
  reverse<<<1, 64>>>(OnDevice(Integers(64)), OnDevice<int>(64));
  FINISH();
  return 0;
}
