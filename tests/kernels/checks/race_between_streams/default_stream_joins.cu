// SPDX-License-Identifier: Apache-2.0
// clean
// The default stream waits for blocking streams, and they for it.
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
  CUDA(cudaStreamCreate(&one));
  CUDA(cudaStreamCreate(&two));
  CUDA(cudaMemcpyAsync(in, host, n * sizeof(int), cudaMemcpyHostToDevice, one));
  scale<<<n / 64, 64>>>(in, out, n);
  CUDA(cudaMemsetAsync(in, 0, n * sizeof(int), two));
  CUDA(cudaMemset(out, 0, n * sizeof(int)));
  scale<<<n / 64, 64, 0, one>>>(in, out, n);
  CUDA(cudaMemcpy(host, out, n * sizeof(int), cudaMemcpyDeviceToHost));
  scale<<<n / 64, 64, 0, cudaStreamPerThread>>>(in, out, n);
  CUDA(cudaMemset(out, 0, n * sizeof(int)));
  return 0;
}
