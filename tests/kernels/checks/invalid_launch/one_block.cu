// SPDX-License-Identifier: Apache-2.0
// clean
// Rounded up.
#include "tests/kernels/expect.h"

__global__ void fill(int* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = 1;
}

int main() {
  const int n = 100;
  fill<<<(n + 127) / 128, 128>>>(OnDevice<int>(n), n);
  FINISH();
  return 0;
}
