// SPDX-License-Identifier: Apache-2.0
// clean
// The largest y extent of a grid.
#include "tests/kernels/expect.h"

__global__ void k(int* out) {
  if (blockIdx.y == gridDim.y - 1) out[threadIdx.x] = 1;
}

int main() {
  k<<<dim3(1, 65535), 32>>>(OnDevice<int>(32));
  FINISH();
  return 0;
}
