// SPDX-License-Identifier: Apache-2.0
// clean
// The guard is around the accesses, and all threads reach the barrier.
#include "tests/kernels/expect.h"

__global__ void reverse(const int* in, int* out, int n) {
  __shared__ int tile[128];
  const int t = threadIdx.x;
  if (t < n) tile[t] = in[t];
  __syncthreads();
  if (t < n) out[t] = tile[n - 1 - t];
}

int main() {
  reverse<<<1, 128>>>(OnDevice(Integers(100)), OnDevice<int>(100), 100);
  FINISH();
  return 0;
}
