// SPDX-License-Identifier: Apache-2.0
// finding: race, line 16, other 13, access read, object "shared array `second`"
// Of two groups only the first has been waited for.
#include <cuda_pipeline.h>

#include "tests/kernels/expect.h"

__global__ void k(const int* in, int* out) {
  __shared__ int first[32], second[32];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&first[t], &in[t], sizeof(int));
  __pipeline_commit();
  __pipeline_memcpy_async(&second[t], &in[32 + t], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(1);
  out[t] = first[t] + second[t];
}

int main() {
  k<<<1, 32>>>(OnDevice(Integers(64)), OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
