// SPDX-License-Identifier: Apache-2.0
// finding: out_of_bounds, line 8, access read, object "argument 1"
// The guard is missing: the last block reads past the end.
#include "tests/kernels/expect.h"

__global__ void scale(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] * 2;
}

int main() {
  const int n = 100;
  float *in = OnDevice(Eighths(n)), *out = OnDevice<float>(128);
  scale<<<1, 128>>>(in, out);
  cudaDeviceSynchronize();
  return 0;
}
