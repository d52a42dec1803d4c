// SPDX-License-Identifier: Apache-2.0
// finding: race_between_streams, line 8, access write, object "argument 1"
// Memory is allocated in the order of one stream, and a kernel of another uses it without waiting.
#include "tests/kernels/expect.h"

__global__ void fill(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}

int main() {
  const int n = 256;
  cudaStream_t one, two;
  CUDA(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
  CUDA(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
  int* values = nullptr;
  CUDA(cudaMallocAsync(&values, n * sizeof(int), one));
  fill<<<n / 64, 64, 0, two>>>(values, n);
  FINISH();
  CUDA(cudaFreeAsync(values, one));
  FINISH();
  return 0;
}
