// SPDX-License-Identifier: Apache-2.0
// finding: invalid_launch
// 33 x 32 threads a block.
#include "tests/kernels/expect.h"

__global__ void fill(int* out) {
  out[threadIdx.y * 33 + threadIdx.x] = 1;
}

int main() {
  fill<<<1, dim3(33, 32)>>>(OnDevice<int>(33 * 32));
  // CUDA 13 names it otherwise than 12 did.
  EXPECT_ERROR(CUDART_VERSION >= 13000 ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration,
               cudaGetLastError());
  return 0;
}
