// SPDX-License-Identifier: Apache-2.0
// clean
// The same with events: after the allocation, and before the free.
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
  cudaEvent_t allocated, used;
  CUDA(cudaEventCreate(&allocated));
  CUDA(cudaEventCreate(&used));
  for (int round = 0; round < 3; ++round) {
    int* values = nullptr;
    CUDA(cudaMallocAsync(&values, n * sizeof(int), one));
    CUDA(cudaEventRecord(allocated, one));
    CUDA(cudaStreamWaitEvent(two, allocated, 0));
    fill<<<n / 64, 64, 0, two>>>(values, n);
    CUDA(cudaEventRecord(used, two));
    CUDA(cudaStreamWaitEvent(one, used, 0));
    CUDA(cudaFreeAsync(values, one));
  }
  FINISH();
  return 0;
}
