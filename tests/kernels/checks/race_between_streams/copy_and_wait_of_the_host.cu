// SPDX-License-Identifier: Apache-2.0
// clean
// The host waits for the copy: with cudaStreamSynchronize, then with a loop of cudaStreamQuery.
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
  CUDA(cudaMemcpyAsync(in, host, n * sizeof(int), cudaMemcpyHostToDevice, one));
  CUDA(cudaStreamSynchronize(one));
  scale<<<n / 64, 64, 0, two>>>(in, out, n);
  while (cudaStreamQuery(two) == cudaErrorNotReady) continue;
  CUDA(cudaMemcpyAsync(host, out, n * sizeof(int), cudaMemcpyDeviceToHost, one));
  FINISH();
  for (int i = 0; i < n; ++i) ExpectEqual("host", i, host[i], 2 * i);
  return 0;
}
