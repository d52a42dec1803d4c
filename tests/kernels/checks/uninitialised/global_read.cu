// SPDX-License-Identifier: Apache-2.0
// finding: uninitialised, line 7, access read, object "argument 1"
// A sum into memory that cudaMalloc gave and nobody set to zero.
#include "tests/kernels/expect.h"

__global__ void accumulate(float* sums) {
  sums[threadIdx.x] += 1.0f;
}

int main() {
  accumulate<<<1, 32>>>(OnDevice<float>(32));
  cudaDeviceSynchronize();
  return 0;
}
