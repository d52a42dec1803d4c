// SPDX-License-Identifier: Apache-2.0
// clean
// Two paths that meet again before the barrier.
#include "tests/kernels/expect.h"

__global__ void two_paths(int* out) {
  __shared__ int tile[64];
  const int t = threadIdx.x;
  if (t % 3 == 0) {
    tile[t] = 1;
  } else {
    tile[t] = out[t];
  }
  __syncthreads();
  out[t] = tile[63 - t];
}

int main() {
  two_paths<<<1, 64>>>(OnDevice(Integers(64)));
  FINISH();
  return 0;
}
