// SPDX-License-Identifier: Apache-2.0
// clean
// The older of two groups is waited for and read, then the other.
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
  const int sum = first[t];
  __pipeline_wait_prior(0);
  out[t] = sum + second[t];
}

int main() {
  k<<<1, 32>>>(OnDevice(Integers(64)), OnDevice<int>(32));
  cudaDeviceSynchronize();
  return 0;
}
