// SPDX-License-Identifier: Apache-2.0
// finding: race_between_streams, line 8, access read, object "argument 1"
// Two kernels of a graph use one array, and no edge orders them.
#include "tests/kernels/expect.h"

__global__ void scale(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

int main() {
  int n = 256;
  int *in = OnDevice(Integers(n)), *middle = OnDevice(Integers(n)), *out = OnDevice<int>(n);
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
  CUDA(cudaGraphAddKernelNode(&second, graph, nullptr, 0, &kernel));
  cudaGraphExec_t ready;
  CUDA(cudaGraphInstantiate(&ready, graph, 0));
  CUDA(cudaGraphLaunch(ready, 0));
  FINISH();
  CUDA(cudaGraphExecDestroy(ready));
  CUDA(cudaGraphDestroy(graph));
  return 0;
}
