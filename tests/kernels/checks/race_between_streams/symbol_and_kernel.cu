// SPDX-License-Identifier: Apache-2.0
// finding: race_between_streams, line 9, access read, object "factor"
// A constant is set in one stream while a kernel in another may read it.
#include "tests/kernels/expect.h"

__constant__ int factor;

__global__ void scale(int* out) {
  out[threadIdx.x] = factor * threadIdx.x;
}

int main() {
  int *out = OnDevice<int>(64), *host = nullptr;
  CUDA(cudaMallocHost(&host, sizeof(int)));
  *host = 3;
  cudaStream_t one, two;
  CUDA(cudaStreamCreate(&one));
  CUDA(cudaStreamCreate(&two));
  CUDA(cudaMemcpyToSymbolAsync(factor, host, sizeof(int), 0, cudaMemcpyHostToDevice, one));
  scale<<<1, 64, 0, two>>>(out);
  FINISH();
  return 0;
}
