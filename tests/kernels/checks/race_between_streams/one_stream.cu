// SPDX-License-Identifier: Apache-2.0
// clean
// All in one stream besides the default stream; another one does something else, and a host function waits.
#include "tests/kernels/expect.h"

__global__ void scale(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

void CUDART_CB note(void* done) {
  *static_cast<bool*>(done) = true;
}

int main() {
  const int n = 256;
  int *in = OnDevice<int>(n), *out = OnDevice<int>(n), *other = OnDevice<int>(n), *host = nullptr;
  bool done = false;
  CUDA(cudaMallocHost(&host, n * sizeof(int)));
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaStream_t one, two;
  CUDA(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
  CUDA(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
  CUDA(cudaMemcpyAsync(in, host, n * sizeof(int), cudaMemcpyHostToDevice, one));
  CUDA(cudaMemsetAsync(other, 0, n * sizeof(int), two));
  scale<<<n / 64, 64, 0, one>>>(in, out, n);
  CUDA(cudaMemcpyAsync(host, out, n * sizeof(int), cudaMemcpyDeviceToHost, one));
  CUDA(cudaLaunchHostFunc(one, note, &done));
  CUDA(cudaStreamSynchronize(one));
  ExpectEqual("done", 0, done, true);
  for (int i = 0; i < n; ++i) ExpectEqual("host", i, host[i], 2 * i);
  FINISH();
  return Result();
}
