// SPDX-License-Identifier: Apache-2.0
// clean
// Whoever divides asks before whether the divisor is 0, by `if`, `?:` or `&&`; floats may be divided by 0.
#include "tests/kernels/expect.h"

__global__ void quotients(const int* counts, int* out, float* ratios, int total) {
  const int count = counts[threadIdx.x];
  if (count != 0) out[threadIdx.x] = total / count;
  out[threadIdx.x + 32] = count == 0 ? -1 : total % count;
  if (count != 0 && total / count > 3) out[threadIdx.x + 64] = 1;
  ratios[threadIdx.x] = float(total) / float(count);
}

int main() {
  auto counts = Integers(32);
  for (int& count : counts) count %= 100;
  counts[5] = 0;
  int* out = OnDevice(Integers(96));
  quotients<<<1, 32>>>(OnDevice(counts), out, OnDevice<float>(32), 1000);
  FINISH();
  for (int i = 0; i < 32; ++i) {
    const int count = counts[i];
    if (count != 0) ExpectEqual("quotient", i, FromDevice(out, 96)[i], 1000 / count);
    ExpectEqual("remainder", i, FromDevice(out, 96)[i + 32], count == 0 ? -1 : 1000 % count);
  }
  return Result();
}
