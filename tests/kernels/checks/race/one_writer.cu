// SPDX-License-Identifier: Apache-2.0
// clean
// One thread writes it.
#include "tests/kernels/expect.h"

__global__ void keep_last(const int* in, int* out) {
  __shared__ int last;
  if (threadIdx.x == 63) last = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = last;
}

int main() {
  keep_last<<<1, 64>>>(OnDevice(Integers(64)), OnDevice<int>(64));
  FINISH();
  return 0;
}
