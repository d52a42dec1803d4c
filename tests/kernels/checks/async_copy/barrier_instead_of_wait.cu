// SPDX-License-Identifier: Apache-2.0
// finding: race, line 13, other 11, access read, object "shared array `stage`"
// A barrier does not wait for copies.
#include <cuda_pipeline.h>

#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  __shared__ int stage[64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&stage[t], &in[t], sizeof(int));
  __syncthreads();
  out[t] = stage[63 - t];
}

int main() {
  k<<<1, 64>>>(OnDevice(Integers(64)), OnDevice<int>(64));
  cudaDeviceSynchronize();
  return 0;
}
