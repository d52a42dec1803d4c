// SPDX-License-Identifier: Apache-2.0
// clean
// A copy stream and a kernel stream with two buffers and an event each way.
#include "tests/kernels/expect.h"

__global__ void scale(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

int main() {
  const int n = 256, rounds = 6;
  int *in[2], *out[2], *from = nullptr, *to = nullptr;
  cudaEvent_t copied[2], read[2];
  for (int i = 0; i < 2; ++i) {
    in[i] = OnDevice<int>(n);
    out[i] = OnDevice<int>(n);
    CUDA(cudaEventCreate(&copied[i]));
    CUDA(cudaEventCreateWithFlags(&read[i], cudaEventDisableTiming));
  }
  CUDA(cudaMallocHost(&from, rounds * n * sizeof(int)));
  CUDA(cudaMallocHost(&to, rounds * n * sizeof(int)));
  for (int i = 0; i < rounds * n; ++i) from[i] = i;
  cudaStream_t one, two;
  CUDA(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
  CUDA(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
  for (int round = 0; round < rounds; ++round) {
    const int b = round % 2;
    CUDA(cudaStreamWaitEvent(one, read[b], 0));
    CUDA(cudaMemcpyAsync(in[b], from + round * n, n * sizeof(int), cudaMemcpyHostToDevice, one));
    CUDA(cudaEventRecord(copied[b], one));
    CUDA(cudaStreamWaitEvent(two, copied[b], 0));
    scale<<<n / 64, 64, 0, two>>>(in[b], out[b], n);
    CUDA(cudaEventRecord(read[b], two));
    CUDA(cudaMemcpyAsync(to + round * n, out[b], n * sizeof(int), cudaMemcpyDeviceToHost, two));
  }
  CUDA(cudaStreamSynchronize(two));
  for (int i = 0; i < rounds * n; ++i) ExpectEqual("to", i, to[i], 2 * i);
  return Result();
}
