// SPDX-License-Identifier: Apache-2.0
// clean
// The guard stands before the read.
#include "tests/kernels/expect.h"

__global__ void scale(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * 2;
}

int main() {
  const int n = 100;
  float *in = OnDevice(Eighths(n)), *out = OnDevice<float>(n);
  scale<<<1, 128>>>(in, out, n);
  FINISH();
  return 0;
}
