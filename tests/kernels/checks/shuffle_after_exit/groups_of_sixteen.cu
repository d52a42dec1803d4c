// SPDX-License-Identifier: Apache-2.0
// clean
// Half a warp, whose shuffles stay within groups of sixteen lanes.
#include "tests/kernels/expect.h"

__global__ void sum(const float* in, float* out) {
  float value = in[threadIdx.x];
  for (int delta = 8; delta > 0; delta /= 2) {
    value += __shfl_down_sync(0x0000ffffu, value, delta, 16);
  }
  if (threadIdx.x == 0) *out = value;
}

int main() {
  const std::vector<float> in = Eighths(16);
  float all = 0;
  for (float each : in) all += each;
  float* out = OnDevice<float>(1);
  sum<<<1, 16>>>(OnDevice(in), out);
  FINISH();
  ExpectEqual("out", 0, FromDevice(out, 1)[0], all);
  return Result();
}
