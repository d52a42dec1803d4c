// SPDX-License-Identifier: Apache-2.0
// clean
// The same from the fifth: a multiple of 16 bytes.
#include "tests/kernels/expect.h"

__global__ void sum(const float* in, float* out) {
  const float4 v = *reinterpret_cast<const float4*>(in + 4 + threadIdx.x * 4);
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

int main() {
  float *in = OnDevice(Eighths(132)), *out = OnDevice<float>(32);
  sum<<<1, 32>>>(in, out);
  FINISH();
  return 0;
}
