// SPDX-License-Identifier: Apache-2.0
// finding: race_between_streams, line 8, access write, object "argument 1"
// Memory is freed in the order of one stream while a kernel of another may still use it.
#include "tests/kernels/expect.h"

__global__ void fill(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}

int main() {
  const int n = 256;
  cudaStream_t one, two;
  CUDA(cudaStreamCreate(&one));
  CUDA(cudaStreamCreate(&two));
  int* values = nullptr;
  CUDA(cudaMallocAsync(&values, n * sizeof(int), one));
  CUDA(cudaStreamSynchronize(one));
  fill<<<n / 64, 64, 0, two>>>(values, n);
  CUDA(cudaFreeAsync(values, one));
  FINISH();
  return 0;
}
