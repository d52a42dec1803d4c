// SPDX-License-Identifier: Apache-2.0
// clean
// Lanes without an element bring a zero; those that return before come from no shuffle.
#include "tests/kernels/expect.h"

__global__ void sum(const float* in, float* out, int n) {
  const int t = threadIdx.x;
  float value = t < n ? in[t] : 0;
  for (int delta = 16; delta > 0; delta /= 2) {
    value += __shfl_down_sync(0xffffffffu, value, delta);
  }
  if (t == 0) *out = value;
}

__global__ void first_half(const float* in, float* out) {
  const int t = threadIdx.x;
  if (t >= 16) return;
  float value = in[t];
  for (int delta = 8; delta > 0; delta /= 2) {
    value += __shfl_xor_sync(0x0000ffffu, value, delta);
  }
  if (t == 0) *out = value;
}

int main() {
  const std::vector<float> in = Eighths(20);
  float all = 0, half = 0;
  for (int i = 0; i < 20; ++i) all += in[i];
  for (int i = 0; i < 16; ++i) half += in[i];
  float* out = OnDevice<float>(2);
  sum<<<1, 32>>>(OnDevice(in), out, 20);
  first_half<<<1, 32>>>(OnDevice(in), out + 1);
  FINISH();
  ExpectEqual("out", 0, FromDevice(out, 2)[0], all);
  ExpectEqual("out", 1, FromDevice(out, 2)[1], half);
  return Result();
}
