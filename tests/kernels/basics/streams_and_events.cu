// SPDX-License-Identifier: Apache-2.0
// Two streams that wait for each other by an event, elapsed time, queries, a host function, work in parts.
#include "tests/kernels/expect.h"

__global__ void add(int* values, int n, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] += by;
}
__global__ void multiply(int* values, int n, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= by;
}

void CUDART_CB Count(void* counter) {
  ++*static_cast<int*>(counter);
}

int main() {
  const int n = 1024, parts = 4, part = n / parts;
  std::vector<int> in = Integers(n), out(n);
  int* values = OnDevice<int>(n);
  cudaStream_t streams[2];
  CUDA(cudaStreamCreate(&streams[0]));
  CUDA(cudaStreamCreateWithFlags(&streams[1], cudaStreamNonBlocking));
  cudaEvent_t start, middle, stop;
  CUDA(cudaEventCreate(&start));
  CUDA(cudaEventCreateWithFlags(&middle, cudaEventDisableTiming));
  CUDA(cudaEventCreate(&stop));
  int called = 0;
  CUDA(cudaEventRecord(start, streams[0]));
  for (int p = 0; p < parts; ++p) {
    int* at = values + p * part;
    CUDA(cudaMemcpyAsync(at, &in[p * part], part * sizeof(int), cudaMemcpyHostToDevice, streams[0]));
    add<<<part / 64, 64, 0, streams[0]>>>(at, part, 7);
    CUDA(cudaEventRecord(middle, streams[0]));
    CUDA(cudaStreamWaitEvent(streams[1], middle, 0));
    multiply<<<part / 64, 64, 0, streams[1]>>>(at, part, 3);
    CUDA(cudaMemcpyAsync(&out[p * part], at, part * sizeof(int), cudaMemcpyDeviceToHost, streams[1]));
    CUDA(cudaLaunchHostFunc(streams[1], Count, &called));
  }
  CUDA(cudaEventRecord(stop, streams[1]));
  CUDA(cudaEventSynchronize(stop));
  float milliseconds = -1;
  CUDA(cudaEventElapsedTime(&milliseconds, start, stop));
  ExpectEqual("time passes", 0, milliseconds > 0, true);
  CUDA(cudaStreamSynchronize(streams[1]));
  CUDA(cudaStreamQuery(streams[1]));
  CUDA(cudaEventQuery(middle));
  ExpectEqual("called", 0, called, parts);
  for (int i = 0; i < n; ++i) ExpectEqual("out", i, out[i], (in[i] + 7) * 3);
  for (cudaStream_t stream : streams) CUDA(cudaStreamDestroy(stream));
  for (cudaEvent_t event : {start, middle, stop}) CUDA(cudaEventDestroy(event));
  return Result();
}
