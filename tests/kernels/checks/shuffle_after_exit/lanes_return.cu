// SPDX-License-Identifier: Apache-2.0
// warning: shuffle_after_exit, line 11
// Lanes without an element return, and the others' shuffles take their values all the same.
#include "tests/kernels/expect.h"

__global__ void sum(const float* in, float* out, int n) {
  const int t = threadIdx.x;
  if (t >= n) return;
  float value = in[t];
  for (int delta = 16; delta > 0; delta /= 2) {
    value += __shfl_down_sync(0xffffffffu, value, delta);
  }
  if (t == 0) *out = value;
}

int main() {
  float* out = OnDevice<float>(1);
  sum<<<1, 32>>>(OnDevice(Eighths(20)), out, 20);
  FINISH();
  // No value that the sum could be mistaken for.
  if (!std::isnan(FromDevice(out, 1)[0])) std::printf("the sum is a number\n");
  return 0;
}
