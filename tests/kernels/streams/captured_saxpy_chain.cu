// SPDX-License-Identifier: Apache-2.0
// A chain of saxpy steps is captured once and launched ten times, as graphs are usually shown.
#include "tests/kernels/expect.h"

__global__ void saxpy(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

int main() {
  const int n = 1000, blocks = (n + 127) / 128, steps = 5, launches = 10;
  const std::vector<float> x = Eighths(n), y = Eighths(n, 2);
  float *on_device = OnDevice(x), *sum = OnDevice(y);
  cudaStream_t stream;
  CUDA(cudaStreamCreate(&stream));
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int step = 0; step < steps; ++step)
    saxpy<<<blocks, 128, 0, stream>>>(static_cast<float>(step + 1), on_device, sum, n);
  CUDA(cudaStreamEndCapture(stream, &graph));
  CUDA(cudaGraphInstantiate(&ready, graph, 0));
  cudaEvent_t start, stop;
  CUDA(cudaEventCreate(&start));
  CUDA(cudaEventCreate(&stop));
  CUDA(cudaEventRecord(start, stream));
  for (int launch = 0; launch < launches; ++launch) CUDA(cudaGraphLaunch(ready, stream));
  CUDA(cudaEventRecord(stop, stream));
  CUDA(cudaEventSynchronize(stop));
  float milliseconds = -1;
  CUDA(cudaEventElapsedTime(&milliseconds, start, stop));
  ExpectEqual("time passes", 0, milliseconds > 0, true);
  const std::vector<float> out = FromDevice(sum, n);
  for (int i = 0; i < n; ++i) ExpectEqual("out", i, out[i], y[i] + launches * 15 * x[i]);
  CUDA(cudaGraphExecDestroy(ready));
  CUDA(cudaGraphDestroy(graph));
  CUDA(cudaStreamDestroy(stream));
  CUDA(cudaFree(on_device));
  CUDA(cudaFree(sum));
  return Result();
}
