// SPDX-License-Identifier: Apache-2.0
// clean
// The most that a block may have.
#include "tests/kernels/expect.h"

__global__ void fill(int* out) {
  out[threadIdx.y * 32 + threadIdx.x] = 1;
}

int main() {
  fill<<<1, dim3(32, 32)>>>(OnDevice<int>(32 * 32));
  FINISH();
  return 0;
}
