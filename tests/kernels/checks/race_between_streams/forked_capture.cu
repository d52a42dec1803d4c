// SPDX-License-Identifier: Apache-2.0
// finding: race_between_streams, line 11, access write, object "argument 1"
// A capture forks to a second stream and joins it again; both branches write one element.
#include "tests/kernels/expect.h"

__global__ void start(int* values) {
  values[threadIdx.x] = 1;
}
__global__ void fill(int* values, int from, int count, int by) {
  const int i = threadIdx.x;
  if (i < count) values[from + i] = by;
}

int main() {
  const int n = 64;
  int* values = OnDevice<int>(n);
  cudaStream_t one, two;
  CUDA(cudaStreamCreate(&one));
  CUDA(cudaStreamCreate(&two));
  cudaEvent_t forked, joined;
  CUDA(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming));
  CUDA(cudaEventCreateWithFlags(&joined, cudaEventDisableTiming));
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  CUDA(cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal));
  start<<<1, n, 0, one>>>(values);
  CUDA(cudaEventRecord(forked, one));
  CUDA(cudaStreamWaitEvent(two, forked, 0));
  fill<<<1, n, 0, one>>>(values, 0, n / 2 + 1, 5);
  fill<<<1, n, 0, two>>>(values, n / 2, n / 2, 7);
  CUDA(cudaEventRecord(joined, two));
  CUDA(cudaStreamWaitEvent(one, joined, 0));
  CUDA(cudaStreamEndCapture(one, &graph));
  CUDA(cudaGraphInstantiate(&ready, graph, 0));
  CUDA(cudaGraphLaunch(ready, one));
  CUDA(cudaStreamSynchronize(one));
  return 0;
}
