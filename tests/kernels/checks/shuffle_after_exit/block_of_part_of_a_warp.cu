// SPDX-License-Identifier: Apache-2.0
// warning: shuffle_after_exit, line 9
// A block of 20 threads has no lanes 20 to 31.
#include "tests/kernels/expect.h"

__global__ void sum(const float* in, float* out) {
  float value = in[threadIdx.x];
  for (int delta = 16; delta > 0; delta /= 2) {
    value += __shfl_down_sync(0xffffffffu, value, delta);
  }
  if (threadIdx.x == 0) *out = value;
}

int main() {
  sum<<<1, 20>>>(OnDevice(Eighths(20)), OnDevice<float>(1));
  FINISH();
  return 0;
}
