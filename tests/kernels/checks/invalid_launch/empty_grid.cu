// SPDX-License-Identifier: Apache-2.0
// finding: invalid_launch
// The number of blocks was rounded down to none.
#include "tests/kernels/expect.h"

__global__ void fill(int* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = 1;
}

int main() {
  const int n = 100;
  fill<<<n / 128, 128>>>(OnDevice<int>(n), n);
  // CUDA 13 names it otherwise than 12 did.
  EXPECT_ERROR(CUDART_VERSION >= 13000 ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration,
               cudaGetLastError());
  return 0;
}
