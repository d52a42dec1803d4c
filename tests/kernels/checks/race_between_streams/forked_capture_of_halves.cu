// SPDX-License-Identifier: Apache-2.0
// clean
// The same, but each branch writes its own half. The graph is launched several times, in two streams.
#include "tests/kernels/expect.h"

__global__ void start(int* values) {
  values[threadIdx.x] = 1;
}
__global__ void add(int* values, int by) {
  values[threadIdx.x] += by;
}

int main() {
  const int n = 64;
  int* values = OnDevice<int>(n);
  cudaStream_t one, two;
  CUDA(cudaStreamCreate(&one));
  CUDA(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
  cudaEvent_t forked, joined;
  CUDA(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
  CUDA(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  CUDA(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
  start<<<1, n, 0, one>>>(values);
  CUDA(cudaEventRecord(forked, one));
  CUDA(cudaStreamWaitEvent(two, forked, 0));
  add<<<1, n / 2, 0, one>>>(values, 5);
  add<<<1, n / 2, 0, two>>>(values + n / 2, 7);
  CUDA(cudaEventRecord(joined, two));
  CUDA(cudaStreamWaitEvent(one, joined, 0));
  add<<<1, n, 0, one>>>(values, 1);
  CUDA(cudaStreamEndCapture(one, &graph));
  CUDA(cudaGraphInstantiate(&ready, graph, 0));
  for (int i = 0; i < 3; ++i) CUDA(cudaGraphLaunch(ready, one));
  for (int i = 0; i < 3; ++i) CUDA(cudaGraphLaunch(ready, two));
  CUDA(cudaStreamSynchronize(two));
  const std::vector<int> result = FromDevice(values, n);
  for (int i = 0; i < n; ++i) ExpectEqual("values", i, result[i], i < n / 2 ? 7 : 9);
  return Result();
}
