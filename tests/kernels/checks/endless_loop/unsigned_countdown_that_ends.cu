// SPDX-License-Identifier: Apache-2.0
// clean
// The same loop as barrier_in_the_loop.cu with a test that ends it.
#include "tests/kernels/expect.h"

__global__ void sum(int* out, unsigned n) {
  __shared__ int part[64];
  const unsigned t = threadIdx.x;
  part[t] = t;
  for (unsigned stride = n; stride > 0; stride /= 2) {
    __syncthreads();
    if (t < stride) part[t] += part[t + stride];
  }
  if (t == 0) *out = part[0];
}

int main() {
  int* out = OnDevice<int>(1);
  sum<<<1, 64>>>(out, 32);
  FINISH();
  ExpectEqual("sum", 0, FromDevice(out, 1)[0], 63 * 32);
  return Result();
}
