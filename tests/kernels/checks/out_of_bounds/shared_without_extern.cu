// SPDX-License-Identifier: Apache-2.0
// finding: out_of_bounds, line 9, access write, object "shared array `tile`"
// The launch gives enough dynamic shared memory, but the array has a size of its own, which is too small.
#include "tests/kernels/expect.h"

__global__ void reverse(const int* in, int* out) {
  __shared__ int tile[16];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  out[t] = tile[t % 16];
}

int main() {
  int *in = OnDevice(Integers(64)), *out = OnDevice<int>(64);
  reverse<<<1, 64, 64 * sizeof(int)>>>(in, out);
  cudaDeviceSynchronize();
  return 0;
}
