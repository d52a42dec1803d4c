// SPDX-License-Identifier: Apache-2.0
// finding: out_of_bounds, line 9, access read, object "argument 1"
// A stencil without a check at the left edge: index -1.
#include "tests/kernels/expect.h"

__global__ void smooth(const float* in, float* out, int n) {
  const int i = threadIdx.x;
  const float right = i + 1 < n ? in[i + 1] : 0;
  const float left = in[i - 1];
  out[i] = left + in[i] + right;
}

int main() {
  float *in = OnDevice(Eighths(32)), *out = OnDevice<float>(32);
  smooth<<<1, 32>>>(in, out, 32);
  cudaDeviceSynchronize();
  return 0;
}
