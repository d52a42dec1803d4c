// SPDX-License-Identifier: Apache-2.0
// clean
// The size of dynamic shared memory in bytes.
#include "tests/kernels/expect.h"

__global__ void reverse(const int* in, int* out) {
  extern __shared__ int tile[];
  const int t = threadIdx.x;
  tile[t] = in[t];
  __syncthreads();
  out[t] = tile[63 - t];
}

int main() {
  int *in = OnDevice(Integers(64)), *out = OnDevice<int>(64);
  reverse<<<1, 64, 64 * sizeof(int)>>>(in, out);
  FINISH();
  return 0;
}
