// SPDX-License-Identifier: Apache-2.0
// clean
// A pointer to before the array that is never read through there.
#include "tests/kernels/expect.h"

__global__ void smooth(const float* in, float* out, int n) {
  const int i = threadIdx.x;
  const float* before = in - 1;
  out[i] = (i > 0 ? before[i] : 0) + in[i];
}

int main() {
  float *in = OnDevice(Eighths(32)), *out = OnDevice<float>(32);
  smooth<<<1, 32>>>(in, out, 32);
  FINISH();
  return 0;
}
