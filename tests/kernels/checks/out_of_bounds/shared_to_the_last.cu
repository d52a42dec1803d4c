// SPDX-License-Identifier: Apache-2.0
// clean
// Two shared arrays that are used up to their last elements.
#include "tests/kernels/expect.h"

__global__ void shift(const int* in, int* out) {
  __shared__ int first[33];
  __shared__ char second[33];
  const int t = threadIdx.x;
  second[t + 1] = static_cast<char>(in[t]);
  first[t + 1] = in[t];
  if (t < 1) first[t] = second[t] = 0;
  __syncthreads();
  out[t] = first[t + 1] + second[t];
}

int main() {
  int *in = OnDevice(Integers(32)), *out = OnDevice<int>(32);
  shift<<<1, 32>>>(in, out);
  FINISH();
  return 0;
}
