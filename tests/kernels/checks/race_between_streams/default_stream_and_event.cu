// SPDX-License-Identifier: Apache-2.0
// clean
// The same with an event; and cudaMemcpy, which returns when it is done.
#include "tests/kernels/expect.h"

__global__ void scale(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

int main() {
  const int n = 256;
  int *in = OnDevice<int>(n), *out = OnDevice<int>(n);
  cudaStream_t one, two;
  CUDA(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
  CUDA(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
  cudaEvent_t set;
  CUDA(cudaEventCreate(&set));
  CUDA(cudaMemset(in, 0, n * sizeof(int)));
  CUDA(cudaEventRecord(set, 0));
  CUDA(cudaStreamWaitEvent(one, set, 0));
  scale<<<n / 64, 64, 0, one>>>(in, out, n);
  CUDA(cudaStreamSynchronize(one));
  const std::vector<int> host = Integers(n);
  CUDA(cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  scale<<<n / 64, 64, 0, two>>>(in, out, n);
  CUDA(cudaEventRecord(set, two));
  CUDA(cudaEventSynchronize(set));
  CUDA(cudaMemset(out, 0, n * sizeof(int)));
  FINISH();
  return 0;
}
