// SPDX-License-Identifier: Apache-2.0
// finding: out_of_bounds, line 9, access write, object "shared array `tile`"
// The launch gives dynamic shared memory in elements where bytes are asked for.
#include "tests/kernels/expect.h"

__global__ void reverse(const int* in, int* out) {
  extern __shared__ int tile[];
  const int t = threadIdx.x;
  tile[t] = in[t];
  out[t] = in[t];
}

int main() {
  int *in = OnDevice(Integers(64)), *out = OnDevice<int>(64);
  reverse<<<1, 64, 64>>>(in, out);
  cudaDeviceSynchronize();
  return 0;
}
