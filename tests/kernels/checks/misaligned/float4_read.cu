// SPDX-License-Identifier: Apache-2.0
// finding: misaligned, line 7, access read, object "argument 1"
// A float array read as float4 from its second element.
#include "tests/kernels/expect.h"

__global__ void sum(const float* in, float* out) {
  const float4 v = *reinterpret_cast<const float4*>(in + 1 + threadIdx.x * 4);
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

int main() {
  float *in = OnDevice(Eighths(132)), *out = OnDevice<float>(32);
  sum<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  return 0;
}
