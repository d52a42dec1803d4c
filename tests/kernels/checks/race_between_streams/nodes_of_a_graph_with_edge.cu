// SPDX-License-Identifier: Apache-2.0
// clean
// The same with an edge, in a stream of its own and launched twice.
#include "tests/kernels/expect.h"

__global__ void scale(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

int main() {
  int n = 256;
  const std::vector<int> given = Integers(n);
  int *in = OnDevice(given), *middle = OnDevice<int>(n), *out = OnDevice<int>(n);
  cudaGraph_t graph;
  CUDA(cudaGraphCreate(&graph, 0));
  cudaGraphNode_t first, second;
  void* arguments[] = {&in, &middle, &n};
  cudaKernelNodeParams kernel = {};
  kernel.func = reinterpret_cast<void*>(scale);
  kernel.gridDim = dim3(n / 64);
  kernel.blockDim = dim3(64);
  kernel.kernelParams = arguments;
  CUDA(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &kernel));
  arguments[0] = &middle;
  arguments[1] = &out;
  CUDA(cudaGraphAddKernelNode(&second, graph, &first, 1, &kernel));
  cudaGraphExec_t ready;
  CUDA(cudaGraphInstantiate(&ready, graph, 0));
  cudaStream_t stream;
  CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CUDA(cudaDeviceSynchronize());
  CUDA(cudaGraphLaunch(ready, stream));
  CUDA(cudaGraphLaunch(ready, stream));
  CUDA(cudaStreamSynchronize(stream));
  const std::vector<int> result = FromDevice(out, n);
  for (int i = 0; i < n; ++i) ExpectEqual("out", i, result[i], 4 * given[i]);
  return Result();
}
