// SPDX-License-Identifier: Apache-2.0
// finding: race, line 13, other 11, access read, object "shared array `stage`"
// A thread reads its copy without having waited for it.
#include <cuda_pipeline.h>

#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  __shared__ int stage[32];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&stage[t], &in[t], sizeof(int));
  __pipeline_commit();
  out[t] = stage[t];
  __pipeline_wait_prior(0);
}

int main() {
  k<<<1, 32>>>(OnDevice(Integers(32)), OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
