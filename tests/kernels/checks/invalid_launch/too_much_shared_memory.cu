// SPDX-License-Identifier: Apache-2.0
// finding: invalid_launch
// More than 48 KB of dynamic shared memory without asking for it.
#include "tests/kernels/expect.h"

__global__ void fill(int* out) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = 1;
  out[threadIdx.x] = tile[threadIdx.x];
}

int main() {
  fill<<<1, 32, 49 * 1024>>>(OnDevice<int>(32));
  EXPECT_ERROR(cudaErrorInvalidValue, cudaGetLastError());
  return 0;
}
