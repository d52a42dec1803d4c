// SPDX-License-Identifier: Apache-2.0
// clean
// Three streams, each after the other one by events; the last needs what the first has written.
#include "tests/kernels/expect.h"

__global__ void scale(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

int main() {
  const int n = 256;
  int *in = OnDevice<int>(n), *out = OnDevice<int>(n), *host = nullptr;
  CUDA(cudaMallocHost(&host, n * sizeof(int)));
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaStream_t one, two;
  CUDA(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
  CUDA(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
  cudaStream_t three;
  CUDA(cudaStreamCreate(&three));
  cudaEvent_t first, second;
  CUDA(cudaEventCreate(&first));
  CUDA(cudaEventCreate(&second));
  CUDA(cudaMemcpyAsync(in, host, n * sizeof(int), cudaMemcpyHostToDevice, one));
  CUDA(cudaEventRecord(first, one));
  CUDA(cudaStreamWaitEvent(two, first, 0));
  CUDA(cudaEventRecord(second, two));
  CUDA(cudaStreamWaitEvent(three, second, 0));
  scale<<<n / 64, 64, 0, three>>>(in, out, n);
  scale<<<n / 64, 64>>>(in, out, n);
  FINISH();
  return 0;
}
