// SPDX-License-Identifier: Apache-2.0
// clean
// Memory of a pool is used by one stream alone, and by two that the host keeps apart.
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
  int *values = nullptr, *more = nullptr;
  CUDA(cudaMallocAsync(&values, n * sizeof(int), one));
  fill<<<n / 64, 64, 0, one>>>(values, n);
  CUDA(cudaMallocAsync(&more, n * sizeof(int), two));
  fill<<<n / 64, 64, 0, two>>>(more, n);
  CUDA(cudaFreeAsync(more, two));
  CUDA(cudaStreamSynchronize(one));
  fill<<<n / 64, 64, 0, two>>>(values, n);
  CUDA(cudaFreeAsync(values, two));
  FINISH();
  return 0;
}
