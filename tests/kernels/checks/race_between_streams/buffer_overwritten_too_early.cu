// SPDX-License-Identifier: Apache-2.0
// finding: race_between_streams, line 8, access write, object "argument 1"
// The copy stream fills a buffer again that the kernel may still read.
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
  cudaEvent_t copied;
  CUDA(cudaEventCreate(&copied));
  int* outs[2] = {out, OnDevice<int>(n)};
  for (int round = 0; round < 2; ++round) {
    CUDA(cudaMemcpyAsync(in, host, n * sizeof(int), cudaMemcpyHostToDevice, one));
    CUDA(cudaEventRecord(copied, one));
    CUDA(cudaStreamWaitEvent(two, copied, 0));
    scale<<<n / 64, 64, 0, two>>>(in, outs[round], n);
  }
  FINISH();
  return 0;
}
